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
import { serviceKinds } from '#domain/cart/order-service-types.ts'
import { JobField } from '../customer/job-offers.ts'
import { call } from '../shapes/call.ts'
import { JobPreferences } from '../shapes/job-structs.ts'
import { Count, Day, Dollars, Id, Instant, shortText } from '../shapes/primitives.ts'
import {
  expectedVersion,
  hiddenCode,
  jobPath,
  readProblems,
  staff,
  studioJobParams,
  writeProblems,
} from '../shapes/staff-call.ts'

const contact = { firstName: shortText(100), lastName: shortText(100), email: shortText(200), phone: shortText(40) }

const general = {
  name: size(string(), 1, 200),
  description: shortText(4000),
  eventDate: nullable(Day),
  /** The last day to order, inclusive. */
  orderBy: nullable(Day),
  /**
   * What is added to orders after the last day to order: hundredths of a per cent, or an amount. At most one is set; with
   * neither, orders end that day.
   */
  lateBasisPoints: nullable(number()),
  lateCents: nullable(number()),
  organizationId: Id,
  code: size(string(), 1, 40),
  /** Whether only a subject's own code gives access to the subject, and search by name is disabled. */
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
  /** Whether subjects come from an imported list instead of being typed in by parents. */
  importedData: boolean(),
  shipsHome: boolean(),
  shipsBatch: boolean(),
  /** The last day, inclusive, of orders that are delivered to the studio together. */
  batchClosesOn: nullable(Day),
  /** The last day, inclusive, on which shipping to the studio is free. */
  freeShippingUntil: nullable(Day),
  /** The days from an order, or from the picture day, until a mailed order arrives; both or neither are set. */
  deliveryDaysFrom: nullable(Count),
  deliveryDaysTo: nullable(Count),
  /** The day on which orders that go to the studio are handed out. */
  handedOutOn: nullable(Day),
}

const gallery = {
  enabled: boolean(),
  isPublic: boolean(),
  opensAt: nullable(Instant),
  closesAt: nullable(Instant),
  /** The last day, inclusive, on which images are shown. */
  expiresOn: nullable(Day),
  importedData: boolean(),
  enableYearBookPoseSelection: boolean(),
  yearBookPoseExpiresAt: nullable(Instant),
  /** Drawn over previews; null for the platform's own. */
  watermarkId: nullable(integer()),
}

/** A service of the platform as offered by a job; `id` is null if it is not offered. Prices are decimal dollars. */
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

/**
 * All settings of a job, one part for each tab, and the options to choose from. Every change of any part increments the
 * version.
 */
export const JobSettings = type({
  version: Count,
  /** Dates and times are shown and typed in this time zone. */
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
  /** The platform's fields, as templates for a job's own. */
  templates: array(JobField),
})
export type JobSettings = Infer<typeof JobSettings>

export const getJobSettings = call({
  method: 'GET',
  path: `${jobPath}/settings`,
  who: staff,
  params: object(studioJobParams),
  answer: JobSettings,
  codes: { code: hiddenCode },
  problems: readProblems,
})

/** Changes the named settings; a conflict if `version` is not the current one. */
const settingsCall = {
  method: 'PATCH',
  who: staff,
  params: object(studioJobParams),
  answer: JobSettings,
  codes: { code: hiddenCode },
  problems: writeProblems,
} as const

export const patchGeneral = call({
  ...settingsCall,
  path: `${jobPath}/settings/general`,
  body: object({
    ...expectedVersion,
    name: optional(general.name),
    description: optional(general.description),
    eventDate: optional(general.eventDate),
    orderBy: optional(general.orderBy),
    lateBasisPoints: optional(general.lateBasisPoints),
    lateCents: optional(general.lateCents),
    organizationId: optional(general.organizationId),
    code: optional(general.code),
    ownCodeOnly: optional(general.ownCodeOnly),
    contact: optional(nullable(object(contact))),
    preferences: optional(object(JobPreferences.schema)),
  }),
})

export const patchStandard = call({
  ...settingsCall,
  needs: { feature: 'orderServices' },
  path: `${jobPath}/settings/standard`,
  body: object({
    ...expectedVersion,
    allowRetouch: optional(boolean()),
    allowNameOnAllPrints: optional(boolean()),
    allowNameOnWallets: optional(boolean()),
    imageLevelService: optional(boolean()),
    /** Named services are set as given; the others stay. */
    services: optional(size(array(object({ orderServiceId: Id, price: Dollars, enabled: boolean() })), 0, 100)),
  }),
})

export const patchPreorder = call({
  ...settingsCall,
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
    freeShippingUntil: optional(preorder.freeShippingUntil),
    deliveryDaysFrom: optional(preorder.deliveryDaysFrom),
    deliveryDaysTo: optional(preorder.deliveryDaysTo),
    handedOutOn: optional(preorder.handedOutOn),
  }),
})

export const patchGallery = call({
  ...settingsCall,
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
})

const FieldDraft = object({
  /** The id of an existing field; missing for a new one. */
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

/** Replaces all fields of a job, in order: fields that are not named are deleted. */
export const putPrefields = call({
  ...settingsCall,
  method: 'PUT',
  path: `${jobPath}/settings/prefields`,
  body: object({ ...expectedVersion, fields: size(array(FieldDraft), 0, 50) }),
})
