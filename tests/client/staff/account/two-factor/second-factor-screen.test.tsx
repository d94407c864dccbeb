import { act } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { LoginScreen } from '#client/staff/account/login-screen.tsx'
import { session } from '#client/staff/kit/session/current-session.ts'
import { click, getButton, getElement, render, type, waitForPage } from '#support/rendering/render.tsx'

const token = `h.${btoa(JSON.stringify({ nameid: '7', name: 'Olive', exp: 4_000_000_000 }))}.s`
const tokenPair = { token, refreshToken: 'r1', expiration: '2096-10-02T07:06:40.000Z' }
const step = {
  step: 'second-factor',
  stepToken: 'step-1',
  expiration: '2096-10-02T07:06:40.000Z',
  methods: ['authenticator', 'recovery-code'],
}

type Answer = { status: number; body: object }
let sent: { url: string; body: unknown }[] = []

/** Answers each path with the given answers in order; the last one repeats. */
const stubAnswers = (answers: Record<string, Answer[]>) => {
  vi.stubGlobal('fetch', async (url: string, init?: { body?: string }) => {
    sent.push({ url, body: init?.body && JSON.parse(init.body) })
    const queue = answers[url] ?? [{ status: 404, body: { errors: ['Not found'] } }]
    const { status, body } = (queue.length > 1 ? queue.shift() : queue[0]) as Answer
    return new Response(JSON.stringify(body), { status })
  })
}

const logIn = async () => {
  type(getElement<HTMLInputElement>('[name="username"]'), 'owner@riverside.test')
  type(getElement<HTMLInputElement>('[name="password"]'), 'fieldproof-demo')
  click(getButton('Log in'))
  await waitForPage(() => expect(document.querySelector('[name="password"]')).toBeNull())
}

const heading = () => getElement('h1').textContent

beforeEach(() => {
  sent = []
  history.replaceState(null, '', '/login')
  localStorage.clear()
  act(() => session.clear())
})

afterEach(() => vi.unstubAllGlobals())

test('after the password the code is asked for; a wrong one is marked, and the right one signs in', async () => {
  const wrong = { errors: ['Please fix'], problem: 'refused', fields: { code: ['This code is not valid'] } }
  stubAnswers({
    '/api/auth/login': [{ status: 200, body: { data: step } }],
    '/api/auth/second-factor': [
      { status: 422, body: wrong },
      { status: 200, body: { data: tokenPair } },
    ],
  })
  const { box } = render(<LoginScreen expired={false} />)
  await logIn()
  expect(heading()).toBe('Two-factor sign-in')
  expect(localStorage.length).toBe(0)
  const field = getElement<HTMLInputElement>('[name="code"]')
  expect(document.activeElement).toBe(field)
  expect([field.autocomplete, field.inputMode]).toEqual(['one-time-code', 'numeric'])
  type(field, ' 123 456 ')
  click(getButton('Continue'))
  await waitForPage(() => expect(box.textContent).toContain('This code is not valid'))
  click(getButton('Continue'))
  await waitForPage(() => expect(localStorage.getItem('authToken')).toBe(token))
  expect(sent[1]?.body).toEqual({ stepToken: 'step-1', method: 'authenticator', code: '123 456' })
})

test('a recovery code can be used instead, and an expired step returns to the password', async () => {
  const expired = { errors: ['This took too long. Please start again'], problem: 'invalid-token' }
  stubAnswers({
    '/api/auth/login': [{ status: 200, body: { data: step } }],
    '/api/auth/second-factor': [{ status: 401, body: expired }],
  })
  render(<LoginScreen expired={false} />)
  await logIn()
  click(getButton('Use a recovery code'))
  type(getElement<HTMLInputElement>('[name="code"]'), 'ABCDE-12345')
  click(getButton('Continue'))
  await waitForPage(() => expect(heading()).toBe('Studio Login'))
  expect(sent[1]?.body).toEqual({ stepToken: 'step-1', method: 'recovery-code', code: 'ABCDE-12345' })
})

test('a user who must have a second factor sets it up, sees the recovery codes, and is then signed in', async () => {
  const codes = ['AAAAA-00000', 'BBBBB-11111']
  stubAnswers({
    '/api/auth/login': [{ status: 200, body: { data: { ...step, step: 'set-up', methods: [] } } }],
    '/api/auth/set-up/authenticator': [
      {
        status: 200,
        body: { data: { key: 'ABCDEFGH', uri: 'otpauth://totp/x', qrCode: '<svg/>', keyToken: 'key-1' } },
      },
    ],
    '/api/auth/set-up/authenticator/confirm': [
      { status: 200, body: { data: { recoveryCodes: codes, tokens: tokenPair } } },
    ],
  })
  const { box } = render(<LoginScreen expired={false} />)
  await logIn()
  await waitForPage(() => expect(box.textContent).toContain('ABCD EFGH'))
  expect(getElement<HTMLImageElement>('img').alt).toBe('QR code for your authenticator app')
  type(getElement<HTMLInputElement>('[name="code"]'), '123456')
  click(getButton('Turn it on'))
  await waitForPage(() => expect(box.textContent).toContain('BBBBB-11111'))
  expect(localStorage.length).toBe(0)
  click(getButton('I saved these codes'))
  await waitForPage(() => expect(localStorage.getItem('refreshToken')).toBe('r1'))
})
