import { type Infer, integer, nullable, record, string, type, unknown } from 'superstruct'

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
