import { isDigital } from './catalogue.ts'

/** What a digital product delivers (section 9): one image, or every image of its subject. */
export type DownloadKind = 'single' | 'all'

/** Days a download link is valid; renewing it by order number and e-mail starts them again. */
export const downloadDays = 90

const singleCodes: readonly string[] = ['SingleDigDown', 'Dj']

/** What a product code delivers as files; null for printed products. */
export const downloadKindOf = (productCode: string): DownloadKind | null => {
  if (singleCodes.includes(productCode)) return 'single'
  return isDigital(productCode) ? 'all' : null
}

/** The label of a digital product (section 9); null for printed products. */
export const digitalLabelOf = (productCode: string): string | null => {
  const kind = downloadKindOf(productCode)
  return kind && (kind === 'single' ? 'Single Digital Download' : 'Download All Images For Subject')
}

/** A name with `_` in place of what no file name may contain: folders, control characters, and what Windows reserves. */
export const withoutReservedCharacters = (name: string): string => name.replace(/[\p{Cc}<>:"/\\|?*]/gu, '_')

/** A file name valid on every file system; never empty. */
const safeName = (name: string): string => {
  const cleaned = withoutReservedCharacters(name).replace(/^[.\s]+|[.\s]+$/g, '')
  return cleaned === '' ? 'picture' : cleaned.slice(-120)
}

const extensionByContentType: Readonly<Record<string, string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
}

const hyphenated = (text: string): string =>
  text
    .normalize('NFC')
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((part) => part !== '')
    .join('-')
    .slice(0, 60)

const capitalised = (slug: string): string =>
  slug
    .split('-')
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('-')

/**
 * The name of a delivered file: subject, studio, number, and the background if an image comes on several
 * (`Ada-Lovelace-Riverside-1.jpg`). The camera's file name means nothing to a family, and may contain another child's
 * name.
 */
export const downloadFileName = (file: {
  readonly person: string
  readonly studioSlug: string
  readonly number: number
  readonly background: string | null
  readonly contentType: string
}): string => {
  const parts = [file.person, capitalised(file.studioSlug), String(file.number), file.background ?? ''].map(hyphenated)
  return `${parts.filter((part) => part !== '').join('-')}.${extensionByContentType[file.contentType] ?? 'jpg'}`
}

/** Valid file names in the given order, unique regardless of case: a second `IMG_1.jpg` becomes `IMG_1 (2).jpg`. */
export const uniqueFileNames = (names: readonly string[]): string[] => {
  const takenNames = new Set<string>()
  return names.map((name) => {
    const [, stem = '', ending = ''] = /^(.*?)(\.\w{1,5})?$/.exec(safeName(name)) ?? []
    let uniqueName = `${stem}${ending}`
    for (let copy = 2; takenNames.has(uniqueName.toLowerCase()); copy += 1) uniqueName = `${stem} (${copy})${ending}`
    takenNames.add(uniqueName.toLowerCase())
    return uniqueName
  })
}
