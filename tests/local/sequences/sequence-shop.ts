import type { LineSnapshot } from '#domain/cart/cart.ts'
import type { Mutation } from '#domain/cart/mutation.ts'
import type { ServiceSnapshot } from '#domain/cart/order-service-types.ts'
import type { Package } from '#domain/catalogue/catalogue.ts'
import type { ModelJob } from '#support/cart-server/model-job.ts'
import { addOn, packageOf, snapshotOf } from '#tests/domain/cart/cart-fixtures.ts'
import {
  basicRetouch,
  nameService,
  plainService,
  serviceSnapshotOf,
} from '#tests/domain/cart/order-service-fixtures.ts'

const portrait = packageOf({ id: 100, name: 'Portrait' })
const deluxe = packageOf({ id: 101, name: 'Deluxe', retailCost: 40 })
const frame = addOn(200, {})
const album = addOn(201, { type: 'addon_price', requiredMinPrice: 50, requiresStandard: false }, 12)

/** Offered on the device, but not on the server. It is free, so that it affects no other line. */
const withdrawn = addOn(202, {}, 0)
/** Also free and not on the server, where it causes a server error each time. */
const poison = addOn(203, {}, 0)

const serverPackages = [portrait, deluxe, frame, album]
export const offered: readonly Package[] = [portrait, deluxe, portrait, frame, album, withdrawn, frame, poison]
/** Whether the server rejects every line of this package. */
export const isDoomed = (packageId: number): boolean => packageId === withdrawn.id || packageId === poison.id
export const isPoison = (mutation: Mutation): boolean => mutation.do === 'line.add' && mutation.packageId === poison.id

export const services: readonly ServiceSnapshot[] = [
  serviceSnapshotOf(basicRetouch),
  serviceSnapshotOf(nameService),
  serviceSnapshotOf(plainService),
]

const jobDefaults = {
  ...{ studioId: 1, slug: 'riverside', fields: [] },
  service: (id: number) => services.find(({ service }) => service.orderServiceId === id) ?? null,
  package: (id: number) => serverPackages.find((candidate) => candidate.id === id) ?? null,
}

const ada = { subjectId: 7, personId: null, firstName: 'Ada', lastName: 'Lovelace', imageIds: [501] }
const ben = { subjectId: 8, personId: null, firstName: 'Ben', lastName: 'Lovell', imageIds: [502] }
const eve = { subjectId: 9, personId: null, firstName: 'Eve', lastName: 'Ek', imageIds: [503] }

/** Two jobs of one studio, under the codes SPRING and TEAM. */
export const jobs: readonly [ModelJob, ModelJob] = [
  { ...jobDefaults, jobId: 1, subjects: [ada, ben] },
  { ...jobDefaults, jobId: 2, subjects: [eve] },
]

/** A package as a line for this subject stores it. */
export const lineSnapshotFor = (
  packageVersion: Package,
  { firstName, lastName }: { firstName: string; lastName: string },
): LineSnapshot => ({
  ...snapshotOf(packageVersion),
  subject: { firstName, lastName, imageThumbnailUrl: null },
  images: [],
})
