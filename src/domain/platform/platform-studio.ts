import { email, type Rules, required, when } from '../shared/validators.ts'
import { wholeNumber } from '../studio/rates.ts'
import { reachabilityRules } from '../studio/studio-fields.ts'
import { slugError } from '../studio/studio-slug.ts'

/** The fields of a studio that the platform's administrators edit; empty text means not set. */
export type PlatformStudioDraft = {
  name: string
  slug: string
  /** The contact. */
  email: string
  phone: string
  /** What the platform keeps of each payment. */
  platformFeeBasisPoints: number
}

/** A studio that administrators create, and the owner that they invite. */
export type NewStudioDraft = PlatformStudioDraft & { ownerName: string; ownerEmail: string }

/** The days between the request to delete a studio and the deletion. */
export const deletionGraceDays = 30

export const platformStudioMessages = {
  fee: 'Enter a percentage from 0 to 100, with at most two decimals',
  decided: 'This request was decided already',
  deleting: 'This studio will be deleted. Cancel the deletion first',
  tooLate: 'The deletion of this studio has begun',
  inside: 'You have access to the data of this studio. Leave it before you transfer its ownership',
} as const

/** Why an administrator of the platform may not give a user access to a studio: it would last, without the consent of an owner. */
export const userGrantMessages = {
  ownersInvite: 'This studio has an owner, and only its owners invite its users',
  ownerFirst: 'Invite the owner of this studio first. They invite its staff',
  ownersGrant: 'Only the owners of this studio give its users more rights, or let them sign in again',
  superseded: 'This studio has an owner by now. Please ask them for an invitation',
} as const

export const platformStudioRules: Rules<PlatformStudioDraft> = {
  name: required(),
  slug: [
    required(),
    when(
      ({ slug }) => slug.trim() !== '',
      (value) => slugError(String(value).trim()),
    ),
  ],
  email: reachabilityRules.email ?? [],
  phone: reachabilityRules.phone ?? [],
  platformFeeBasisPoints: wholeNumber(0, 10_000, platformStudioMessages.fee),
}

export const newStudioRules: Rules<NewStudioDraft> = {
  ...(platformStudioRules as Rules<NewStudioDraft>), // a new studio has all fields of a studio
  ownerName: required(),
  ownerEmail: [
    required(),
    when(
      ({ ownerEmail }) => ownerEmail.trim() !== '',
      (value) => email()(String(value).trim(), {}),
    ),
  ],
}
