import type { TestFile } from '../uploads/upload-fixtures.ts'

/** A form as a browser sends one. */
export const multipartPayload = async (files: readonly TestFile[], fields: Readonly<Record<string, string>> = {}) => {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  for (const { fileName, bytes } of files) form.append('file', new Blob([new Uint8Array(bytes)]), fileName)
  const request = new Request('http://form.test', { method: 'POST', body: form })
  return {
    payload: Buffer.from(await request.arrayBuffer()),
    headers: { 'content-type': request.headers.get('content-type') ?? '' },
  }
}
