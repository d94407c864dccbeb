import { type Infer, is } from 'superstruct'
import { type AnyCall, pathOf } from '#contract/shapes/call.ts'
import { Failure } from '#contract/shapes/responses.ts'
import { ignoring } from '#domain/shared/ignoring.ts'
import { unreachable } from '#local/transport/request.ts'
import { sendAuthorized } from '../query/authorized-request.ts'

type FileRequest<Call extends AnyCall> = { params: Infer<Call['params']>; body: Infer<Call['body']> }

const fetchFile = async <Call extends AnyCall>(
  call: Call,
  { params, body }: FileRequest<Call>,
  token: string,
): Promise<Response> =>
  await fetch(pathOf(call, params as object, {}), {
    method: call.method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

/** The name that the server gave the file. */
const nameOf = ({ headers }: Response): string => {
  const [, name = 'download'] = /filename\*=UTF-8''([^;]+)/.exec(headers.get('content-disposition') ?? '') ?? []
  return decodeURIComponent(name)
}

/** Saves a file as the browser's download. */
export const saveFile = (file: Blob, name: string): void => {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}

const messagesOf = async (response: Response): Promise<string[]> => {
  const body: unknown = await ignoring('a response of something else than the server has no messages', () =>
    response.json(),
  )
  return is(body, Failure) ? body.errors : unreachable.errors
}

/** Makes a call that responds with a file, and saves it. Returns the messages if that failed, also if the file was cut off. */
export const downloadFile = async <Call extends AnyCall>(
  call: Call,
  request: FileRequest<Call>,
): Promise<string[] | undefined> => {
  try {
    const response = await sendAuthorized(
      (token) => fetchFile(call, request, token),
      ({ status }) => status === 401,
    )
    if (!(response instanceof Response)) return response.errors
    if (!response.ok) return await messagesOf(response)
    saveFile(await response.blob(), nameOf(response))
    return undefined
  } catch (error) {
    console.warn('A file was not downloaded', error)
    return unreachable.errors
  }
}
