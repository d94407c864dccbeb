/**
 * Data that is already JSON and is sent unchanged. A request with its etag (`If-None-Match`) is answered with 304 and
 * no data.
 */
export class JsonText {
  readonly text: string
  readonly etag: string | undefined

  constructor(text: string, etag?: string) {
    this.text = text
    this.etag = etag
  }
}
