/** The connected account, or a message why there is none. */
export type ConnectOutcome =
  | { readonly state: 'connected'; readonly account: string }
  | { readonly state: 'refused'; readonly message: string }

/** Lets studios connect the accounts that receive their payments (section 7). */
export type PaymentAccounts = {
  /**
   * The provider's page where an owner consents; it redirects to `returnTo` with a code. Accepts an appended `&state=`.
   */
  connectAddress(returnTo: string): string
  /** Exchanges a code for the account; each code works once. */
  connect(code: string): Promise<ConnectOutcome>
}
