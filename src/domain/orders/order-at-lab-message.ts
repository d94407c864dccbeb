/**
 * Why a customer can no longer change the order. In a file of its own, so that customer screens do not load the order
 * states.
 */
export const orderAtLabMessage = 'This order is with the lab already. Ask the studio if something has to be changed'
