import type { APIRequestContext } from 'playwright/test'

/** Signs the demo studio's owner in. Returns a function that sends a call about one job and returns the server's response. */
export const staffApi = async (request: APIRequestContext, jobId: number) => {
  const login = { username: 'owner@riverside.test', password: 'fieldproof-demo' }
  const signedIn = await request.post('/api/auth/login', { data: login })
  const headers = { authorization: `Bearer ${(await signedIn.json()).data.token}` }
  return async (method: 'GET' | 'POST' | 'PATCH', path: string, data?: object) => {
    const url = `/api/studioadmin/studios/1/jobs/${jobId}/${path}`
    const answer = await request.fetch(url, { method, headers, ...(data && { data }) })
    const { data: told, errors } = await answer.json()
    if (!answer.ok()) throw new Error(`${method} ${path}: ${errors}`)
    return told
  }
}
