/** Why its customer can't put an order right any more; apart from the states, which a parent's phone need not know. */
export const orderAtLabMessage = 'This order is with the lab already. Ask the studio if something has to be changed'
