// The shelf of a vendor: it knows how many hats are left, and sets one aside for each buyer.

integer left = 2;

//@ property never_negative: always left >= 0;

default
{
    link_message(integer sender, integer amount, string word, key id)
    {
        if (word != "ask") return;
        if (left > 0)
        {
            --left;
            llMessageLinked(sender, amount, "yes", id);
        }
        else
        {
            llMessageLinked(sender, amount, "no", id);
        }
        llMessageLinked(LINK_ALL_OTHERS, left, "left", NULL_KEY);
    }
}
