/** The account a studio connected, or a sentence why there is none. */
export type ConnectOutcome =
  | { readonly state: 'connected'; readonly account: string }
  | { readonly state: 'refused'; readonly message: string }

/** Where studios connect the accounts their money goes to (section 7). */
export type PaymentAccounts = {
  /** The provider's page on which an owner agrees; it leads back to `returnTo` with a code. Takes `&state=` too. */
  connectAddress(returnTo: string): string
  /** Turns a code into the account it was given for; each works once. */
  connect(code: string): Promise<ConnectOutcome>
}
