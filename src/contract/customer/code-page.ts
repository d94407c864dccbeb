import { type Infer, integer, nullable, record, string, type, unknown } from 'superstruct'
import type { OrderMethod, Package } from '#domain/catalogue/catalogue.ts'
import type { Image } from '../shapes/image-structs.ts'
import type { GrantedSubject, JobPreferences } from '../shapes/job-structs.ts'
import type { CustomerJob, CustomerStudio, JobAvailability } from './discovery-calls.ts'

/**
 * The data in the page at the address of an access code (`/:studio/code/:code`, which a QR code opens): the responses of
 * the API calls that the first screen makes, by the URL of the call.
 */
export const CodePage = type({
  studioSlug: string(),
  /** The code as the client sends it. */
  code: string(),
  /** The version of the images that the session may see, as API responses name it in a header. */
  imagesVersion: nullable(string()),
  responses: record(string(), type({ status: integer(), body: unknown() })),
})
export type CodePage = Infer<typeof CodePage>

/** The packages that a subject's code leads to, with the data that the screen needs to show them. */
export type PackageOffer = {
  studio: CustomerStudio
  job: CustomerJob
  availability: JobAvailability
  preferences: JobPreferences
  subject: GrantedSubject
  images: Image[]
  packages: Package[]
  orderMethod: OrderMethod
}

/** What the page of a subject's code shows before any script runs. */
export type CodeFirstScreen = {
  studio: Pick<CustomerStudio, 'slug' | 'name' | 'logo' | 'logoShape'>
  jobName: string
  subjectName: string
  /** The image that the screen shows large. */
  image: Image
  /** Null if the app begins with another screen, or if its data did not arrive in time. */
  offer: PackageOffer | null
  /** The current day in the studio's time zone: the server's may be a day ahead. */
  today: string
}
