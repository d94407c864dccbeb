import type { APIRequestContext } from 'playwright/test'

type Consent = { owner?: string; studioId?: number; mayChange?: boolean; hasSharpPhotos?: boolean }

/** Lets the demo's administrator into a studio for a day, as its owner would: with changes and sharp photos unless the journey wants less. */
export const letAdministratorIn = async (
  request: APIRequestContext,
  { owner = 'owner@riverside.test', studioId = 1, mayChange = true, hasSharpPhotos = true }: Consent = {},
): Promise<void> => {
  const login = { username: owner, password: 'fieldproof-demo' }
  const loginResponse = await request.post('/api/auth/login', { data: login })
  const headers = { authorization: `Bearer ${(await loginResponse.json()).data.token}` }
  const url = `/api/studioadmin/studios/${studioId}/support-accesses`
  const { data } = await (await request.get(url, { headers })).json()
  for (const { id: administratorId } of data.administrators) {
    const body = { administratorId, hours: 24, mayChange, hasSharpPhotos }
    const response = await request.post(url, { headers, data: body })
    if (!response.ok()) throw new Error(`the owner could not consent: ${await response.text()}`)
  }
}
