// The sign above a vendor.

integer sold_out;

default
{
    link_message(integer sender, integer n, string word, key id)
    {
        if (word == "left" && n == 0)
        {
            sold_out = TRUE;
            llSetText("sold out", <1.0, 0.0, 0.0>, 1.0);
        }
    }
}
