import { notifyImagesVersion } from '../store/images-version.ts'
import { createRequest, type RequestFunction, responseHeaders, type Transport } from './request.ts'

const transport: Transport = async ({ url, ...options }) => {
  const response = await fetch(url, options)
  notifyImagesVersion(response.headers)
  return { status: response.status, text: await response.text(), ...responseHeaders(response) }
}

/** Makes requests from the service worker, with the platform's own `fetch`. */
export const requestFromWorker: RequestFunction = createRequest(transport)
