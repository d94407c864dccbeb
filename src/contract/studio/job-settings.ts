import {
  array,
  boolean,
  enums,
  type Infer,
  integer,
  nullable,
  number,
  object,
  optional,
  size,
  string,
  type,
} from 'superstruct'
import { serviceKinds } from '#domain/cart/order-services.ts'
import { JobPreferences } from '../customer/discovery-calls.ts'
import { JobField } from '../customer/job-offers.ts'
import type { AnyCall } from '../shapes/call.ts'
import { Count, Day, Dollars, Id, Instant, Nothing, shortText } from '../shapes/primitives.ts'
import { expectedVersion, jobPath, readProblems, staff, studioJobParams, writeProblems } from '../shapes/staff-call.ts'

const contact = { firstName: shortText(100), lastName: shortText(100), email: shortText(200), phone: shortText(40) }

const general = {
  name: size(string(), 1, 200),
  description: shortText(4000),
  eventDate: nullable(Day),
  /** The last day to order, included. */
  orderBy: nullable(Day),
  organizationId: Id,
  code: size(string(), 1, 40),
  /** Whether people are opened by their own codes alone, and no search by name finds them. */
  ownCodeOnly: boolean(),
}

const serviceFlags = {
  allowRetouch: boolean(),
  allowNameOnAllPrints: boolean(),
  allowNameOnWallets: boolean(),
  imageLevelService: boolean(),
}

const preorder = {
  enabled: boolean(),
  opensAt: nullable(Instant),
  closesAt: nullable(Instant),
  /** Whether people are found on a list instead of typed in by their parents. */
  importedData: boolean(),
  shipsHome: boolean(),
  shipsBatch: boolean(),
  /** The last day, included, of orders that go to the studio together. */
  batchClosesOn: nullable(Day),
}

const gallery = {
  enabled: boolean(),
  isPublic: boolean(),
  opensAt: nullable(Instant),
  closesAt: nullable(Instant),
  /** The last day, included, on which pictures are shown. */
  expiresOn: nullable(Day),
  importedData: boolean(),
  enableYearBookPoseSelection: boolean(),
  yearBookPoseExpiresAt: nullable(Instant),
  /** Laid over previews; null for the platform's own. */
  watermarkId: nullable(integer()),
}

/** A service of the platform as a job offers it; `id` is null while it does not. Prices are decimal dollars. */
export const OfferedService = type({
  id: nullable(integer()),
  orderServiceId: integer(),
  kind: enums(serviceKinds),
  name: string(),
  description: string(),
  level: nullable(enums(['basic', 'premium'])),
  price: Dollars,
  usualPrice: Dollars,
  enabled: boolean(),
})
export type OfferedService = Infer<typeof OfferedService>

/** All that staff set of a job, a part for each tab, and what there is to choose from. Every change of any part makes the next version. */
export const JobSettings = type({
  version: Count,
  /** Dates and times are shown and typed as clocks show them there. */
  timeZone: string(),
  general: type({
    ...general,
    organizationId: nullable(integer()),
    code: nullable(string()),
    contact: nullable(type({ firstName: string(), lastName: string(), email: string(), phone: string() })),
    preferences: JobPreferences,
  }),
  standard: type({ ...serviceFlags, services: array(OfferedService) }),
  preorder: type(preorder),
  prefields: array(JobField),
  gallery: type({ ...gallery, isYearBookPoseSelectionExpired: boolean() }),
  watermarks: array(type({ id: integer(), name: string() })),
  /** The platform's fields, which a job's own may be made from. */
  templates: array(JobField),
})
export type JobSettings = Infer<typeof JobSettings>

export const getJobSettings = {
  method: 'GET',
  path: `${jobPath}/settings`,
  who: staff,
  params: object(studioJobParams),
  query: Nothing,
  body: Nothing,
  answer: JobSettings,
  problems: readProblems,
} satisfies AnyCall

/** Changes what is named, where the settings are still the version that was looked at. */
const changes = {
  method: 'PATCH',
  who: staff,
  params: object(studioJobParams),
  query: Nothing,
  answer: JobSettings,
  problems: writeProblems,
} as const

export const patchGeneral = {
  ...changes,
  path: `${jobPath}/settings/general`,
  body: object({
    ...expectedVersion,
    name: optional(general.name),
    description: optional(general.description),
    eventDate: optional(general.eventDate),
    orderBy: optional(general.orderBy),
    organizationId: optional(general.organizationId),
    code: optional(general.code),
    ownCodeOnly: optional(general.ownCodeOnly),
    contact: optional(nullable(object(contact))),
    preferences: optional(object(JobPreferences.schema)),
  }),
} satisfies AnyCall

export const patchStandard = {
  ...changes,
  needs: { feature: 'orderServices' },
  path: `${jobPath}/settings/standard`,
  body: object({
    ...expectedVersion,
    allowRetouch: optional(boolean()),
    allowNameOnAllPrints: optional(boolean()),
    allowNameOnWallets: optional(boolean()),
    imageLevelService: optional(boolean()),
    /** Those that are named are offered as they say; the others stay as they are. */
    services: optional(size(array(object({ orderServiceId: Id, price: Dollars, enabled: boolean() })), 0, 100)),
  }),
} satisfies AnyCall

export const patchPreorder = {
  ...changes,
  path: `${jobPath}/settings/preorder`,
  body: object({
    ...expectedVersion,
    enabled: optional(preorder.enabled),
    opensAt: optional(preorder.opensAt),
    closesAt: optional(preorder.closesAt),
    importedData: optional(preorder.importedData),
    shipsHome: optional(preorder.shipsHome),
    shipsBatch: optional(preorder.shipsBatch),
    batchClosesOn: optional(preorder.batchClosesOn),
  }),
} satisfies AnyCall

export const patchGallery = {
  ...changes,
  needs: { verified: true },
  path: `${jobPath}/settings/gallery`,
  body: object({
    ...expectedVersion,
    enabled: optional(gallery.enabled),
    isPublic: optional(gallery.isPublic),
    opensAt: optional(gallery.opensAt),
    closesAt: optional(gallery.closesAt),
    expiresOn: optional(gallery.expiresOn),
    importedData: optional(gallery.importedData),
    enableYearBookPoseSelection: optional(gallery.enableYearBookPoseSelection),
    yearBookPoseExpiresAt: optional(gallery.yearBookPoseExpiresAt),
    watermarkId: optional(nullable(Id)),
  }),
} satisfies AnyCall

const FieldDraft = object({
  /** Of a field there is; without it, it is a new one. */
  id: optional(Id),
  name: size(string(), 1, 60),
  label: shortText(200),
  inputType: enums(['text', 'textarea', 'alphanumeric']),
  required: boolean(),
  hasOptions: boolean(),
  options: size(array(object({ id: number(), value: size(string(), 1, 200) })), 0, 200),
  templateId: nullable(Id),
})
export type FieldDraft = Infer<typeof FieldDraft>

/** All fields of a job, in their order: what is not named any more is gone. */
export const putPrefields = {
  ...changes,
  method: 'PUT',
  path: `${jobPath}/settings/prefields`,
  body: object({ ...expectedVersion, fields: size(array(FieldDraft), 0, 50) }),
} satisfies AnyCall
