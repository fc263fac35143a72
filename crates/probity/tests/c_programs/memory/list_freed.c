// expect: holds
// A list is built and freed, in the manner of SV-COMP's memsafety families.
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
        struct node *next = head->next;
        free(head);
        head = next;
    }
    return 0;
}
