import type { APIRequestContext } from 'playwright/test'

/** Signs in the demo studio's owner. Returns a function that sends a call of one job and returns the response's data. */
export const staffApi = async (request: APIRequestContext, jobId: number) => {
  const login = { username: 'owner@riverside.test', password: 'fieldproof-demo' }
  const loginResponse = await request.post('/api/auth/login', { data: login })
  const headers = { authorization: `Bearer ${(await loginResponse.json()).data.token}` }
  return async (method: 'GET' | 'POST' | 'PATCH', path: string, data?: object) => {
    const url = `/api/studioadmin/studios/1/jobs/${jobId}/${path}`
    const response = await request.fetch(url, { method, headers, ...(data && { data }) })
    const { data: responseData, errors } = await response.json()
    if (!response.ok()) throw new Error(`${method} ${path}: ${errors}`)
    return responseData
  }
}
