import { boolean, enums, type Infer, integer, nullable, object, optional, string, type } from 'superstruct'
import { organizationTypes } from '#domain/catalogue/catalogue.ts'
import type { AnyCall } from '../shapes/call.ts'
import { AddressDraft, PostalAddress } from '../shapes/postal-address-structs.ts'
import { Count, Id, Instant, Nothing, shortText } from '../shapes/primitives.ts'
import { resource, withId } from '../shapes/resource.ts'
import {
  expectedVersion,
  listQuery,
  organizationJobParams,
  organizationJobPath,
  readProblems,
  staff,
  studioParams,
  studioPath,
  writeProblems,
} from '../shapes/staff-call.ts'

/** An organization in the studio's list; archived ones stand in a list of their own. */
export const OrganizationRow = type({
  id: integer(),
  name: string(),
  type: enums(organizationTypes),
  jobCount: Count,
  /** Whom the studio speaks to there; empty where nobody is named. */
  contactName: string(),
  city: string(),
  archivedAt: nullable(Instant),
})
export type OrganizationRow = Infer<typeof OrganizationRow>

/** A school or a club the studio takes pictures for (section 3). A text that is not given is empty. */
export const Organization = type({
  id: integer(),
  name: string(),
  type: enums(organizationTypes),
  phone: string(),
  email: string(),
  website: string(),
  note: string(),
  jobCount: Count,
  archivedAt: nullable(Instant),
  version: Count,
})
export type Organization = Infer<typeof Organization>

const draft = {
  name: shortText(120),
  type: enums(organizationTypes),
  phone: optional(shortText(40)),
  email: optional(shortText(254)),
  website: optional(shortText(200)),
  note: optional(shortText(2000)),
}

const organizations = resource({
  base: `${studioPath}/organizations`,
  who: staff,
  above: object(studioParams),
  of: object(withId(studioParams)),
  query: object({ ...listQuery, type: optional(enums(organizationTypes)), archived: optional(enums(['0', '1'])) }),
  row: OrganizationRow,
  item: Organization,
  draft: object(draft),
  kept: object({ ...draft, ...expectedVersion }),
})

export const getOrganization = organizations.get
/** Those in use, or with `archived=1` those put away; sorted by `name`, `type` or `jobs`. */
export const listOrganizations = organizations.list
export const postOrganization = organizations.post
export const putOrganization = organizations.put
/** Takes an organization away; one that has jobs is archived instead, with all that is in them. */
export const deleteOrganization = {
  ...organizations.remove,
  answer: type({ archived: boolean() }),
} satisfies AnyCall

/** Puts an archived organization back among the others. */
export const restoreOrganization = {
  ...organizations.get,
  method: 'POST',
  path: `${organizations.get.path}/restore`,
} satisfies AnyCall

/** Whether a name is free in this studio, but for the organization that has it; `message` is the sentence for its field. */
export const checkOrganizationName = {
  method: 'GET',
  path: `${studioPath}/organizations/valid`,
  who: staff,
  params: object(studioParams),
  query: object({ name: shortText(120), organizationId: optional(Id) }),
  body: Nothing,
  answer: type({ valid: boolean(), message: nullable(string()) }),
  problems: readProblems,
} satisfies AnyCall

const ofOrganization = { ...studioParams, organizationId: Id }

const person = { firstName: string(), lastName: string(), title: string(), email: string(), phone: string() }

/** Whom the studio speaks to at an organization. */
export const OrganizationContact = type({ ...person, address: PostalAddress, version: Count })
export type OrganizationContact = Infer<typeof OrganizationContact>

/** Null where nobody is named. */
const ContactResponse = type({ contact: nullable(OrganizationContact) })

const personDraft = {
  firstName: shortText(80),
  lastName: shortText(80),
  title: shortText(80),
  email: shortText(254),
  phone: shortText(40),
}

export const getContact = {
  method: 'GET',
  path: `${studioPath}/organizations/:organizationId/contacts`,
  who: staff,
  params: object(ofOrganization),
  query: Nothing,
  body: Nothing,
  answer: ContactResponse,
  problems: readProblems,
} satisfies AnyCall

/**
 * Names the contact, or changes it. Refused where no field of the address says anything (section 5). `version` is that of the contact
 * that is changed, 0 where there was none.
 */
export const putContact = {
  ...getContact,
  method: 'PUT',
  body: object({ ...personDraft, address: AddressDraft, ...expectedVersion }),
  problems: writeProblems,
} satisfies AnyCall

/** The same for whoever posts. */
export const postContact = { ...putContact, method: 'POST' } satisfies AnyCall

export const deleteContact = { ...getContact, method: 'DELETE' } satisfies AnyCall

/** Whom the customers of a job reach at its checkout; null for nobody but the studio. */
export const CheckoutContact = type({ ...person, address: PostalAddress })
export type CheckoutContact = Infer<typeof CheckoutContact>

/** Says whom the customers of a job reach at its checkout; one that is empty takes the contact away. */
export const postCheckoutContact = {
  method: 'POST',
  path: `${organizationJobPath}/checkout/contact`,
  who: staff,
  params: object(organizationJobParams),
  query: Nothing,
  body: object({ ...personDraft, title: optional(shortText(80)), address: optional(AddressDraft) }),
  answer: type({ contact: nullable(CheckoutContact) }),
  problems: [...readProblems, 'refused'],
} satisfies AnyCall
