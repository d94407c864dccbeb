import { act } from 'react'
import { beforeEach, expect, test, vi } from 'vitest'
import type { FindOrder, OrderSearchModel } from '#client/home/order-search.ts'
import { OrderSearchForm } from '#client/home/order-search-form.tsx'
import { click, countElements, getButton, getElement, render, type } from '#support/rendering/render.tsx'
import { toastLog } from '#ui/toast/toast.ts'

type SearchResult = Awaited<ReturnType<FindOrder>>

// A search that resolves when the test calls `answer`.
const createPendingSearch = () => {
  const searches: OrderSearchModel[] = []
  let resolveSearch: (result: SearchResult) => void = () => undefined
  const find: FindOrder = (model) => {
    searches.push(model)
    return new Promise((resolve) => {
      resolveSearch = resolve
    })
  }
  return { searches, find, answer: (result: SearchResult) => act(async () => resolveSearch(result)) }
}

const emailField = () => getElement<HTMLInputElement>('input[name="email"]')
const numberField = () => getElement<HTMLInputElement>('input[name="orderNumber"]')
const fill = (email: string, orderNumber: string) => {
  type(emailField(), email)
  type(numberField(), orderNumber)
}

beforeEach(() => history.replaceState(null, '', '/'))

test('the order search has the fields Email and Order #, both text inputs, and a Search button', () => {
  render(<OrderSearchForm find={createPendingSearch().find} />)
  expect([...document.querySelectorAll('label')].map((label) => label.textContent)).toEqual(['Email', 'Order #'])
  expect([emailField().type, numberField().type]).toEqual(['text', 'text'])
  expect(getButton('Search').type).toBe('submit')
})

test('an invalid order search sends no request and shows what to fix', () => {
  const { searches, find } = createPendingSearch()
  render(<OrderSearchForm find={find} />)
  fill('nobody', ' ')
  click(getButton('Search'))
  expect(searches).toEqual([])
  expect(document.body.textContent).toContain('Please fix the fields marked below')
  expect(document.body.textContent).toContain('This value is not a valid email address')
  expect(document.body.textContent).toContain('This field is required')
  expect(countElements('[aria-invalid="true"]')).toBe(2)
})

test('a valid order search sends one request, with the button loading, and opens the order', async () => {
  const { searches, find, answer } = createPendingSearch()
  render(<OrderSearchForm find={find} />)
  fill(' ada@lovelace.test ', ' FP-ABC ')
  click(getButton('Search'))
  click(getButton('Search'))
  expect(searches).toEqual([{ email: 'ada@lovelace.test', orderNumber: 'FP-ABC' }])
  expect(getButton('Search').getAttribute('aria-busy')).toBe('true')
  await answer({ address: '/riverside/12/order/FP-ABC' })
  expect(window.location.pathname).toBe('/riverside/12/order/FP-ABC')
})

test('if the server has no such order, the form is reset and a toast is shown', async () => {
  const { find, answer } = createPendingSearch()
  const toastsBefore = toastLog.current().length
  render(<OrderSearchForm find={find} />)
  fill('ada@lovelace.test', 'FP-NONE')
  await act(async () => click(getButton('Search')))
  await answer('not-found')
  await vi.waitFor(() => expect([emailField().value, numberField().value]).toEqual(['', '']))
  expect(toastLog.current().slice(toastsBefore)).toMatchObject([{ text: 'Could not find this order', tone: 'error' }])
  expect(getButton('Search').getAttribute('aria-busy')).toBeNull()
  expect(window.location.pathname).toBe('/')
})

test('if it is unknown whether the order exists, the form shows why and keeps the input', async () => {
  const { find, answer } = createPendingSearch()
  const toastsBefore = toastLog.current().length
  render(<OrderSearchForm find={find} />)
  fill('ada@lovelace.test', 'FP-ZJZ1G9MV')
  await act(async () => click(getButton('Search')))
  await answer({ failure: 'Something went wrong on our side' })
  expect(document.querySelector('[role="alert"]')?.textContent).toBe('Something went wrong on our side')
  expect([emailField().value, numberField().value]).toEqual(['ada@lovelace.test', 'FP-ZJZ1G9MV'])
  expect(toastLog.current().slice(toastsBefore)).toEqual([])
  expect(getButton('Search').getAttribute('aria-busy')).toBeNull()
})
