type NamedImage = { readonly id: number; readonly fileName: string }
type NamedFile = { readonly name: string }

export type ReplacementPair<File extends NamedFile> = { readonly imageId: number; readonly file: File }
export type ReplacementPairs<File extends NamedFile> = {
  readonly pairs: readonly ReplacementPair<File>[]
  /** Files that match no selected image. */
  readonly unmatched: readonly string[]
}

/** A retouched image often has another file type, so only the name before the extension counts. */
const stem = (name: string): string => name.replace(/\.[^.]*$/, '').toLowerCase()

/**
 * Pairs files with images by name. A single file and a single image are paired whatever their names. If several images have the same
 * name, the file stays unmatched.
 */
export const pairFilesByName = <File extends NamedFile>(
  images: readonly NamedImage[],
  files: readonly File[],
): ReplacementPairs<File> => {
  const [image, file] = [images[0], files[0]]
  if (image && file && images.length === 1 && files.length === 1)
    return { pairs: [{ imageId: image.id, file }], unmatched: [] }
  const pairs: ReplacementPair<File>[] = []
  const unmatched: string[] = []
  for (const one of files) {
    const [match, ...others] = images.filter(({ fileName }) => stem(fileName) === stem(one.name))
    const isTaken = pairs.some(({ imageId }) => imageId === match?.id)
    if (match && others.length === 0 && !isTaken) pairs.push({ imageId: match.id, file: one })
    else unmatched.push(one.name)
  }
  return { pairs, unmatched }
}

/** The ids with one image moved earlier (-1) or later (1); null if it is at the end already. */
export const moveInOrder = (ids: readonly number[], id: number, by: -1 | 1): number[] | null => {
  const from = ids.indexOf(id)
  const to = from + by
  if (from === -1 || to < 0 || to >= ids.length) return null
  const others = ids.filter((one) => one !== id)
  return [...others.slice(0, to), id, ...others.slice(to)]
}
