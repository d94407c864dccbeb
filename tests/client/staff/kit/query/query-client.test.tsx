import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import { getDefaultStore } from 'jotai'
import { act } from 'react'
import { expect, test } from 'vitest'
import { queryClient } from '#client/staff/kit/query/query-client.ts'
import { readClaims } from '#client/staff/kit/session/claims.ts'
import { claimsAtom } from '#client/staff/kit/session/current-session.ts'
import { online } from '#platform/online.ts'
import { render, waitForPage } from '#support/rendering/render.tsx'

const createClaims = (exp: number) => readClaims(`h.${btoa(JSON.stringify({ nameid: '7', exp }))}.s`)

test('cached responses survive a token refresh and are cleared on sign-out', () => {
  const store = getDefaultStore()
  store.set(claimsAtom, createClaims(1))
  queryClient.setQueryData(['/api/account', {}], { name: 'June' })
  store.set(claimsAtom, createClaims(2))
  expect(queryClient.getQueryData(['/api/account', {}])).toEqual({ name: 'June' })
  store.set(claimsAtom, null)
  expect(queryClient.getQueryData(['/api/account', {}])).toBeUndefined()
})

test('a query on the screen that failed without a network is refetched when the network returns', async () => {
  const Screen = () => {
    const queryFn = async () => {
      if (online.current()) return 'Spring'
      throw new Error('no network')
    }
    const { data, error } = useQuery({ queryKey: ['/api/jobs/12'], queryFn })
    return <p>{data ?? error?.message}</p>
  }
  online.set(false)
  const { box } = render(
    <QueryClientProvider client={queryClient}>
      <Screen />
    </QueryClientProvider>,
  )
  await waitForPage(() => expect(box.textContent).toBe('no network'))
  act(() => online.set(true))
  await waitForPage(() => expect(box.textContent).toBe('Spring'))
  queryClient.clear()
})
