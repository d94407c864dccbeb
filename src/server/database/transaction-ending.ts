/** A transaction that is being ended takes no more, like one that is over: what came behind its end would stand by itself. */
export const transactionEndingError = (): Error => new Error('A statement came as its transaction was being ended')
