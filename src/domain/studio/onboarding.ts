import { email, type Rules, required, type Validator, when } from '../shared/validators.ts'
import { slugError } from './studio-slug.ts'
import { newPassword } from './user-account.ts'

/** The fields a new studio fills in. */
export type Onboarding = {
  readonly studioName: string
  readonly slug: string
  readonly accountNumber?: string | undefined
  readonly name: string
  readonly email: string
  readonly password: string
}

const slug: Validator<Onboarding> = (value) => slugError(String(value))

const accountNumber: Validator<Onboarding> = (value) =>
  /^[A-Za-z0-9][A-Za-z0-9-]{1,39}$/.test(String(value).trim())
    ? null
    : 'Please use 2 to 40 letters, digits and dashes, starting with a letter or digit'

/** Validation of a new studio; only the server knows which values are taken. */
export const onboardingRules: Rules<Onboarding> = {
  studioName: required(),
  slug: [required(), when((model) => model.slug !== '', slug)],
  accountNumber: when((model) => Boolean(model.accountNumber?.trim()), accountNumber),
  name: required(),
  email: [
    required(),
    when(
      (model) => model.email.trim() !== '',
      (value) => email()(String(value).trim(), {}),
    ),
  ],
  password: newPassword(),
}
