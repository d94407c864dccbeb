import { type Rules, required, when } from '../shared/validators.ts'

/** What an administrator sets of a feature. */
export type FeatureDraft = {
  readonly identifier: string
  readonly name: string
  readonly description: string
  /** Whether new studios have it. */
  readonly isDefault: boolean
}

export const featureMessages = {
  identifier: 'Use letters and digits, starting with a small letter, such as orderEntry',
  identifierTaken: 'Another feature has this identifier',
  identifierInUse: 'Studios have this feature, so its identifier stays',
} as const

/** Validation of a feature; only the server knows which identifiers are taken. */
export const featureRules: Rules<FeatureDraft> = {
  identifier: [
    required(),
    when(
      (model) => model.identifier.trim() !== '',
      (value) => (/^[a-z][A-Za-z0-9]*$/.test(String(value).trim()) ? null : featureMessages.identifier),
    ),
  ],
  name: required(),
}
