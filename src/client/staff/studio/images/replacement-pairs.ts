type NamedImage = { readonly id: number; readonly fileName: string }
type NamedFile = { readonly name: string }

export type ReplacementPair<File extends NamedFile> = { readonly imageId: number; readonly file: File }
export type ReplacementPairs<File extends NamedFile> = {
  readonly pairs: readonly ReplacementPair<File>[]
  /** Files that match no selected image. */
  readonly unmatched: readonly string[]
}

/** File name without its extension, in lower case. A retouched image often has another file type than the original. */
const stemOf = (name: string): string => name.replace(/\.[^.]*$/, '').toLowerCase()

/**
 * Pairs files with images by name. A single file and a single image are paired whatever their names. If several images have the same
 * name, the file stays unmatched.
 */
export const pairFilesByName = <File extends NamedFile>(
  images: readonly NamedImage[],
  files: readonly File[],
): ReplacementPairs<File> => {
  const [firstImage, firstFile] = [images[0], files[0]]
  if (firstImage && firstFile && images.length === 1 && files.length === 1)
    return { pairs: [{ imageId: firstImage.id, file: firstFile }], unmatched: [] }
  const pairs: ReplacementPair<File>[] = []
  const unmatched: string[] = []
  for (const file of files) {
    const [match, ...otherMatches] = images.filter(({ fileName }) => stemOf(fileName) === stemOf(file.name))
    const isPaired = pairs.some(({ imageId }) => imageId === match?.id)
    if (match && otherMatches.length === 0 && !isPaired) pairs.push({ imageId: match.id, file })
    else unmatched.push(file.name)
  }
  return { pairs, unmatched }
}

/** Returns the ids with one image moved earlier (-1) or later (1); null if there is no place to move it to. */
export const moveInOrder = (ids: readonly number[], id: number, by: -1 | 1): number[] | null => {
  const from = ids.indexOf(id)
  const to = from + by
  if (from === -1 || to < 0 || to >= ids.length) return null
  const otherIds = ids.filter((otherId) => otherId !== id)
  return [...otherIds.slice(0, to), id, ...otherIds.slice(to)]
}
