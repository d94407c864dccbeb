/** An external HTTP service: its URL, and the bearer token it requires, if any. */
export type JsonService = { readonly url: string; readonly token: string | undefined }

export type JsonAnswer = { readonly status: number; readonly body: unknown }

/** Milliseconds until a request times out. It is short, because a customer waits for the response. */
const timeoutMs = 4_000

/** Posts JSON and returns the JSON of the response, whatever its status. Rejects when no valid JSON arrives in time. */
export const postJson = async ({ url, token }: JsonService, request: unknown): Promise<JsonAnswer> => {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token !== undefined && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(request),
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  })
  return { status: response.status, body: await response.json() }
}
