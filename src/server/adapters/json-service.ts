/** An external HTTP service: its URL, and the bearer token it requires, if any. */
export type JsonService = { readonly url: string; readonly token: string | undefined }

export type JsonAnswer = { readonly status: number; readonly body: unknown }

/** Milliseconds until a request times out: a customer waits for it. */
const patienceMs = 4_000

/** Posts JSON and returns the JSON of the response, whatever its status. Rejects where nothing readable comes in time. */
export const postJson = async ({ url, token }: JsonService, question: unknown): Promise<JsonAnswer> => {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token !== undefined && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(question),
    redirect: 'error',
    signal: AbortSignal.timeout(patienceMs),
  })
  return { status: response.status, body: await response.json() }
}
