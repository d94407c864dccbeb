/** The credentials that a studio's staff entered to prove that it is the partner's customer. */
export type PartnerAccount = { readonly accountNumber: string; readonly password: string }

/** Who decides about a request: the partner, by the account's password, or an administrator, who needs no password. */
export type VerificationDecider = 'partner' | 'administrator'

/**
 * `waiting`: an administrator reviews it. `refused`: with a message for staff. `unreachable`: no answer; may be
 * retried.
 */
export type PartnerAnswer =
  | { readonly state: 'verified' }
  | { readonly state: 'waiting' }
  | { readonly state: 'refused'; readonly reason: string }
  | { readonly state: 'unreachable' }

/**
 * The third party whose customers are verified studios (section 1). Always resolves; the credentials are not stored.
 */
export type Partner = {
  readonly decidedBy: VerificationDecider
  verify(account: PartnerAccount): Promise<PartnerAnswer>
}
