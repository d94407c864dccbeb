/** What a studio's staff typed to show that it is the partner's customer. */
export type PartnerAccount = { readonly accountNumber: string; readonly password: string }

/** Who decides about a request: the partner, by the account's password, or an administrator of the platform, who needs none. */
export type VerificationDecider = 'partner' | 'administrator'

/** `waiting`: somebody looks at it by hand. `refused`: with a sentence for staff. `unreachable`: nobody answered, and it may be asked again. */
export type PartnerAnswer =
  | { readonly state: 'verified' }
  | { readonly state: 'waiting' }
  | { readonly state: 'refused'; readonly reason: string }
  | { readonly state: 'unreachable' }

/** The third party whose customers are verified studios (section 1). It always answers; what it is told is kept by nobody. */
export type Partner = {
  readonly decidedBy: VerificationDecider
  verify(account: PartnerAccount): Promise<PartnerAnswer>
}
