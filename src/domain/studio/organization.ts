import type { OrganizationType } from '../catalogue/catalogue.ts'
import { addressRules, hasAddress, type PostalAddress } from '../shared/postal-address.ts'
import { type Rules, required, type Validator, validate } from '../shared/validators.ts'
import { reachabilityRules } from './studio-fields.ts'

/** What staff say of an organization; an empty text is none. */
export type OrganizationFields = {
  readonly name: string
  readonly type: OrganizationType
  readonly phone: string
  readonly email: string
  readonly website: string
  readonly note: string
}

/** Whom a studio speaks to at an organization, and where that is. */
export type ContactFields = {
  readonly firstName: string
  readonly lastName: string
  readonly title: string
  readonly email: string
  readonly phone: string
  readonly address: PostalAddress
}

export const organizationMessages = {
  taken: 'There is an organization of this name already',
  contactAddress: 'A contact is saved once it has an address: please fill in one of its fields',
} as const

/** An organization's name as it is kept: blanks once, and none around it. */
export const normaliseOrganizationName = (typed: string): string => typed.trim().replace(/\s+/g, ' ')

/** What an organization's fields may not be; whether its name is free only the server knows. */
export const organizationRules: Rules<unknown> = { name: required(), ...reachabilityRules }

/** The messages of an organization's fields by path; none means that it can be kept, if its name is free. */
export const organizationErrors = (fields: OrganizationFields): Record<string, string[]> =>
  validate<unknown>(fields, organizationRules)

const reachedRules: Rules<unknown> = { email: reachabilityRules.email ?? [], phone: reachabilityRules.phone ?? [] }

const addressFilled: Validator<unknown> = (_, model) =>
  hasAddress(Object(model).address) ? null : organizationMessages.contactAddress

/** What a contact's fields may not be. One without any part of an address is not kept (section 5). */
export const contactRules: Rules<unknown> = {
  ...reachedRules,
  ...addressRules('address'),
  'address.address1': addressFilled,
}

/** The messages of a contact's fields by path. */
export const contactErrors = (contact: ContactFields): Record<string, string[]> =>
  validate<unknown>(contact, contactRules)

/** The same of whom customers reach at a job's checkout, who needs no address. */
export const checkoutContactErrors = (contact: Pick<ContactFields, 'email' | 'phone'>): Record<string, string[]> =>
  validate<unknown>(contact, reachedRules)
