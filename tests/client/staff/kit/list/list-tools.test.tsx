import { afterEach, expect, test, vi } from 'vitest'
import { ListFilter } from '#client/staff/kit/list/list-filter.tsx'
import { ListTools } from '#client/staff/kit/list/list-tools.tsx'
import { useList } from '#client/staff/kit/list/use-list.ts'
import { click, countElements, fire, getButton, getElement, render } from '#support/rendering/render.tsx'

const options = [
  { value: '', label: 'All states' },
  { value: 'open', label: 'Open' },
]

const columns = [
  { id: 'name', header: 'Name', sort: 'name', cell: () => null },
  { id: 'code', header: 'Code', cell: () => null },
]

const Tools = () => {
  const list = useList(['state'])
  return (
    <ListTools
      {...{ label: 'Jobs', list, columns, hasColumnChoice: true, searchPlaceholder: 'Name' }}
      hiddenColumns={{ ids: new Set(), chosen: new Set(), setVisible: () => undefined }}
      filters={<ListFilter list={list} name="state" label="State" options={options} />}
      filterCount={undefined}
      viewTools={null}
      actions={null}
    />
  )
}

const renderTools = (width: number) => {
  vi.stubGlobal('matchMedia', () => ({ matches: width < 640, addEventListener() {}, removeEventListener() {} }))
  window.history.replaceState(null, '', '/jobs')
  render(<Tools />)
}

afterEach(() => vi.unstubAllGlobals())

const select = (value: string, index = 0) => {
  const control = [...document.querySelectorAll('select')][index]
  if (!control) throw new Error('there is no such select')
  control.value = value
  fire(control, new Event('change', { bubbles: true }))
}

test('on a phone the filters are in a dialog, and their button says how many are set', () => {
  renderTools(390)
  expect(countElements('select')).toBe(0)
  click(getButton('Filter'))
  expect(getElement('[role="dialog"] label').textContent).toBe('State')
  select('open')
  click(getButton('Show results'))
  expect(countElements('[role="dialog"]')).toBe(0)
  getButton('Filter (1)')
  expect(window.location.search).toBe('?state=open')
})

test('on a wider screen the filters are next to the search', () => {
  renderTools(1024)
  select('open')
  expect(window.location.search).toBe('?state=open')
  expect(countElements('[role="dialog"]')).toBe(0)
})

test('on a phone the order of the list is chosen with its filters', () => {
  renderTools(390)
  click(getButton('Filter'))
  const orders = [...(document.querySelectorAll('select')[1]?.options ?? [])].map(({ text }) => text)
  expect(orders).toEqual(['Default order', 'Name, ascending', 'Name, descending'])
  select('-name', 1)
  expect(window.location.search).toBe('?sort=-name')
  select('', 1)
  expect(window.location.search).toBe('')
})
