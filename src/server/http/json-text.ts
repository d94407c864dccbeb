/**
 * Data that is JSON already and is sent as it is, without being parsed and built again. A request that has the version of the data
 * (`If-None-Match`) is answered with 304 and no data.
 */
export class JsonText {
  readonly text: string
  readonly version: string | undefined

  constructor(text: string, version?: string) {
    this.text = text
    this.version = version
  }
}
