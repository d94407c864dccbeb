import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Place } from '../ports/address-check.ts'

const readPlaces = async (): Promise<ReadonlyMap<string, string>> => {
  const code = await readFile(fileURLToPath(import.meta.resolve('zipcodes/lib/codes.js')), 'utf8')
  const entries = code.matchAll(
    /"zip":"(\d{5})","latitude":[^,]*,"longitude":[^,]*,"city":"([^"]*)","state":"([A-Z]{2})"/g,
  )
  return new Map(Array.from(entries, ([, zip = '', city = '', state = '']) => [zip, `${state}${city}`]))
}

/**
 * The package's table as text: about 5 MB once read. Imported as a module, it would take 30 MB for coordinates that
 * nothing needs.
 */
let places: Promise<ReadonlyMap<string, string>> | undefined

/** The city and the state of a ZIP code of five digits; null if it is not known. Reads the table once, when first asked. */
export const placeOfPostalCode = async (zip: string): Promise<Place | null> => {
  places ??= readPlaces().catch((error: unknown) => {
    places = undefined
    throw error
  })
  const place = (await places).get(zip)
  return place === undefined ? null : { state: place.slice(0, 2), city: place.slice(2) }
}
