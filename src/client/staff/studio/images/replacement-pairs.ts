type NamedImage = { readonly id: number; readonly fileName: string }
type NamedFile = { readonly name: string }

export type ReplacementPair<File extends NamedFile> = { readonly imageId: number; readonly file: File }
export type ReplacementPairs<File extends NamedFile> = {
  readonly pairs: readonly ReplacementPair<File>[]
  /** Files that are no selected picture's. */
  readonly unmatched: readonly string[]
}

/** A retouched picture often comes back as another kind of file: what counts is what stands before the ending. */
const stem = (name: string): string => name.replace(/\.[^.]*$/, '').toLowerCase()

/**
 * Which file takes which picture's place: the one of its name. One picture and one file are meant for each other whatever they are called;
 * where several pictures have a name, nobody can know which is meant, and the file is left.
 */
export const pairFilesByName = <File extends NamedFile>(
  images: readonly NamedImage[],
  files: readonly File[],
): ReplacementPairs<File> => {
  const [image, file] = [images[0], files[0]]
  if (image && file && images.length === 1 && files.length === 1)
    return { pairs: [{ imageId: image.id, file }], unmatched: [] }
  const pairs: ReplacementPair<File>[] = []
  const left: string[] = []
  for (const one of files) {
    const [found, ...others] = images.filter(({ fileName }) => stem(fileName) === stem(one.name))
    const isTaken = pairs.some(({ imageId }) => imageId === found?.id)
    if (found && others.length === 0 && !isTaken) pairs.push({ imageId: found.id, file: one })
    else left.push(one.name)
  }
  return { pairs, unmatched: left }
}

/** A picture one place earlier (-1) or later (1) among those it stands with; null where there is no further. */
export const moveInOrder = (ids: readonly number[], id: number, by: -1 | 1): number[] | null => {
  const from = ids.indexOf(id)
  const to = from + by
  if (from === -1 || to < 0 || to >= ids.length) return null
  const others = ids.filter((one) => one !== id)
  return [...others.slice(0, to), id, ...others.slice(to)]
}
