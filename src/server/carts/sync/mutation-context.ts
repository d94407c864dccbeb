import type { SubjectKey } from '#domain/cart/mutation.ts'
import type { JobServices } from '#domain/cart/order-service-types.ts'
import type { AutofillSubject } from '#domain/catalogue/autofill.ts'
import type { Package } from '#domain/catalogue/catalogue.ts'
import type { ClosedReason } from '#domain/catalogue/job-availability.ts'
import type { CustomField } from '#domain/subjects/custom-fields.ts'
import type { NewCartDetails } from '../store/read-cart.ts'
import type { ImageRecord, SubjectRecord } from '../store/subject-and-image-queries.ts'

/** The server's data about everything that a batch of mutations refers to. */
export type MutationContext = {
  readonly closed: ClosedReason | null
  /**
   * A package in the given version, or in its current version if that does not exist; undefined if it is not offered.
   */
  readonly package: (id: number, version: number) => Package | undefined
  /** Whether a fixed text has, or had, this value in some version of its package. */
  readonly isFixedText: (packageId: number, nodeId: number, value: string) => boolean
  readonly subject: (owner: SubjectKey) => SubjectRecord | undefined
  /** A subject with the fields that its texts may be autofilled from: only those that this session may read. */
  readonly autofillSubject: (subject: SubjectRecord) => AutofillSubject
  readonly image: (id: number) => ImageRecord | undefined
  readonly hasGreenScreen: (id: number) => boolean
  readonly services: JobServices
  /** The fields that customers fill in about a subject before the picture day; empty in a gallery. */
  readonly fields: readonly CustomField[]
  /** Whether only the studio adds subjects; for prepay, this is a setting of the job. */
  readonly subjectsAreListed: boolean
  /** The number of subjects that this session typed in before these mutations and that have no order yet. */
  readonly typedSubjects: number
  readonly mayChoosePose: (subjectId: number) => boolean
  /** What the cart contains besides its lines if these mutations create it; null for an existing cart. */
  readonly newCart: NewCartDetails | null
}

/** The context of mutations that only change or remove lines of the cart: whether it is closed, and nothing else. */
export const ownCartContext = (closed: ClosedReason | null): MutationContext => ({
  closed,
  package: () => undefined,
  isFixedText: () => false,
  subject: () => undefined,
  autofillSubject: ({ firstName, lastName }) => ({ firstName, lastName, fields: [] }),
  image: () => undefined,
  hasGreenScreen: () => false,
  services: {
    services: [],
    allowRetouch: false,
    allowNameOnAllPrints: false,
    allowNameOnWallets: false,
    imageLevelService: false,
  },
  fields: [],
  subjectsAreListed: true,
  typedSubjects: 0,
  mayChoosePose: () => false,
  newCart: null,
})
