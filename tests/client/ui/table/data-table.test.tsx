import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { click, countElements, getElement, render } from '#support/rendering/render.tsx'
import { DataTable } from '#ui/table/data-table.tsx'

const rows = [
  { id: '1', name: 'Ada', city: 'London' },
  { id: '2', name: 'Grace', city: 'New York' },
]

const columns = [
  { id: 'name', header: 'Name', cell: ({ name }: (typeof rows)[number]) => name },
  { id: 'city', header: 'City', cell: ({ city }: (typeof rows)[number]) => city },
]

const findCheckbox = (label: string): HTMLInputElement => {
  const labels = [...document.querySelectorAll('label')].filter(({ textContent }) => textContent === label)
  return labels[0]?.querySelector('input') ?? getElement<HTMLInputElement>(`input[aria-label="${label}"]`)
}

let selected: ReadonlySet<string>

const Table = ({ initialIds, hidden }: { initialIds: readonly string[]; hidden?: ReadonlySet<string> }) => {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set(initialIds))
  selected = ids
  return (
    <DataTable
      label="Subjects"
      columns={columns}
      rows={rows}
      idOf={({ id }) => id}
      nameOf={({ name }) => name}
      selection={{ ids, change: setIds }}
      {...(hidden && { hidden })}
    />
  )
}

test('selecting all rows of a page changes no row of another page', () => {
  render(<Table initialIds={['9']} />)
  const selectAllBox = findCheckbox('Select all on this page')
  expect([selectAllBox.checked, selectAllBox.indeterminate]).toEqual([false, false])
  click(selectAllBox)
  expect([...selected]).toEqual(['9', '1', '2'])
  expect([selectAllBox.checked, selectAllBox.indeterminate]).toEqual([true, false])
  click(selectAllBox)
  expect([...selected]).toEqual(['9'])
})

test('a selection of some rows of a page is shown as partial', () => {
  render(<Table initialIds={[]} />)
  click(findCheckbox('Select Grace'))
  expect([...selected]).toEqual(['2'])
  const selectAllBox = findCheckbox('Select all on this page')
  expect([selectAllBox.checked, selectAllBox.indeterminate]).toEqual([false, true])
  click(findCheckbox('Select Grace'))
  expect([...selected]).toEqual([])
})

test('the first column of a table is never hidden', () => {
  render(<Table initialIds={[]} hidden={new Set(['name', 'city'])} />)
  const headers = [...document.querySelectorAll('thead th')].map(({ textContent }) => textContent)
  expect(headers).toEqual(['Select all on this page', 'Name'])
})

test('a long name wraps and needs no pointer to be read', () => {
  const cityColumns = columns.map((column) => ({ ...column, isName: column.id === 'city' }))
  render(
    <DataTable label="Subjects" columns={cityColumns} rows={rows} idOf={({ id }) => id} nameOf={({ name }) => name} />,
  )
  const wrapped = [...document.querySelectorAll('tbody :is(th, td) > div')]
  expect(wrapped.map(({ textContent }) => textContent)).toEqual(['London', 'New York'])
  expect(document.querySelectorAll('tbody [title]')).toHaveLength(0)
})

test('on a phone the key is next to the name, each other cell has its label, and no header sorts', () => {
  vi.stubGlobal('matchMedia', () => ({ matches: true, addEventListener() {}, removeEventListener() {} }))
  const [name, city] = columns
  const total = { id: 'total', header: 'Total', isNumber: true, isKey: true, cell: () => '$5.00' }
  render(
    <DataTable
      label="Orders"
      columns={[{ ...name, sort: 'name' }, city, total].filter((column) => column !== undefined) as never}
      rows={rows}
      idOf={({ id }) => id}
      nameOf={(row) => row.name}
      onSort={() => undefined}
    />,
  )
  const cells = [...document.querySelectorAll<HTMLElement>('tbody tr:first-child > *')]
  expect(cells.map(({ textContent, dataset }) => [textContent, dataset.label])).toEqual([
    ['Ada', undefined],
    ['$5.00', 'Total'],
    ['London', 'City'],
  ])
  expect(countElements('thead button')).toBe(0)
  vi.unstubAllGlobals()
})
