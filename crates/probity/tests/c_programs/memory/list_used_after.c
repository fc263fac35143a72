// expect: fails dangling
#include <stdlib.h>
struct node { int value; struct node *next; };
int main(void)
{
    struct node *head = NULL;
    for (int i = 0; i < 3; i++) {
        struct node *n = malloc(sizeof *n);
        if (n == NULL)
            break;
        n->value = i;
        n->next = head;
        head = n;
    }
    while (head) {
        free(head);
        head = head->next;
    }
    return 0;
}
