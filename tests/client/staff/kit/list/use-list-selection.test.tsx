import { act } from 'react'
import { expect, test } from 'vitest'
import { type ListSelection, useListSelection } from '#client/staff/kit/list/use-list-selection.ts'
import { render } from '#support/rendering/render.tsx'

let selection: ListSelection

const List = ({ filter, ids }: { filter: string; ids: readonly string[] }) => {
  selection = useListSelection({ filter }, { ids, total: 120 })
  return null
}

test('selected rows of another page stay selected', () => {
  const { rerender } = render(<List filter="" ids={['1', '2']} />)
  act(() => selection.change(new Set(['1'])))
  rerender(<List filter="" ids={['3']} />)
  expect([[...selection.ids], selection.count, selection.isAll]).toEqual([['1'], 1, false])
})

test('all rows of a filter are selected until the filter or the selection changes', () => {
  const { rerender } = render(<List filter="Ada" ids={['1', '2']} />)
  act(() => selection.selectAll())
  expect([[...selection.ids], selection.count, selection.isAll]).toEqual([['1', '2'], 120, true])
  rerender(<List filter="Grace" ids={['3']} />)
  expect([selection.count, selection.isAll]).toEqual([0, false])
  rerender(<List filter="Ada" ids={['1', '2']} />)
  act(() => selection.change(new Set(['2'])))
  expect([[...selection.ids], selection.count, selection.isAll]).toEqual([['2'], 1, false])
})
