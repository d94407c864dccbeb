import { extractText, getDocumentProxy, getMeta } from 'unpdf'

/** The text of a PDF, read by another library than the one that wrote it: one string per page, with single spaces. */
export const readPdf = async (bytes: Uint8Array): Promise<{ pages: string[]; title: string; creationDate: string }> => {
  const pdf = await getDocumentProxy(new Uint8Array(bytes))
  const { text } = await extractText(pdf)
  const { info } = await getMeta(pdf)
  return {
    pages: text.map((page) => page.replace(/\s+/g, ' ').trim()),
    title: info.Title,
    creationDate: info.CreationDate,
  }
}
