/**
 * Why a customer can no longer change the order. In a file of its own, so that customer screens do not load the order
 * states.
 */
export const orderAtLabMessage = 'This order is already at the lab. Ask the studio if you need to change something'
