import type { OrganizationType } from '../catalogue/catalogue.ts'
import { addressRules, hasAddress, type PostalAddress } from '../shared/postal-address.ts'
import { type Rules, required, type Validator, validate } from '../shared/validators.ts'
import { reachabilityRules } from './studio-fields.ts'

/** The fields of an organization that staff can edit; empty text means not set. */
export type OrganizationFields = {
  readonly name: string
  readonly type: OrganizationType
  readonly phone: string
  readonly email: string
  readonly website: string
  readonly note: string
}

/** The studio's contact at an organization, with an address. */
export type ContactFields = {
  readonly firstName: string
  readonly lastName: string
  readonly title: string
  readonly email: string
  readonly phone: string
  readonly address: PostalAddress
}

export const organizationMessages = {
  taken: 'There is already an organization with this name',
  contactAddress: 'A contact is saved once it has an address: please fill in one of its fields',
} as const

/** Normalises an organization's name: trimmed, white space collapsed. */
export const normaliseOrganizationName = (typed: string): string => typed.trim().replace(/\s+/g, ' ')

/** Validation of an organization's fields; only the server knows whether the name is free. */
export const organizationRules: Rules<unknown> = { name: required(), ...reachabilityRules }

/** The errors of an organization's fields by path; empty if it can be saved, provided that its name is free. */
export const organizationErrors = (fields: OrganizationFields): Record<string, string[]> =>
  validate<unknown>(fields, organizationRules)

const emailAndPhoneRules: Rules<unknown> = {
  email: reachabilityRules.email ?? [],
  phone: reachabilityRules.phone ?? [],
}

const requireAddress: Validator<unknown> = (_, model) =>
  hasAddress(Object(model).address) ? null : organizationMessages.contactAddress

/** Validation of a contact. A contact without any part of an address is not saved (section 5). */
export const contactRules: Rules<unknown> = {
  ...emailAndPhoneRules,
  ...addressRules('address'),
  'address.address1': requireAddress,
}

/** The errors of a contact's fields by path. */
export const contactErrors = (contact: ContactFields): Record<string, string[]> =>
  validate<unknown>(contact, contactRules)

/** The errors of the contact shown at a job's checkout, who needs no address. */
export const checkoutContactErrors = (contact: Pick<ContactFields, 'email' | 'phone'>): Record<string, string[]> =>
  validate<unknown>(contact, emailAndPhoneRules)
