import { act, useState } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { renderToString } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { Field } from '#ui/form/field.tsx'
import { Form } from '#ui/form/form.tsx'
import { TextInput } from '#ui/form/text-input.tsx'

const SearchForm = ({ onSearch }: { onSearch: (text: string) => void }) => {
  const [text, setText] = useState('')
  return (
    <Form onSubmit={() => onSearch(text)}>
      <Field label="Code">
        <TextInput type="alphanumeric" value={text} onValue={setText} />
      </Field>
      <button type="submit">Open</button>
    </Form>
  )
}

const prerenderSearch = () => {
  const pageRoot = document.createElement('div')
  pageRoot.innerHTML = renderToString(<SearchForm onSearch={() => undefined} />)
  document.body.replaceChildren(pageRoot)
  const input = pageRoot.querySelector('input')
  const form = pageRoot.querySelector('form')
  if (!input || !form) throw new Error('the page has no form')
  return { pageRoot, input, form }
}

describe('a page that is shown before its script runs', () => {
  it('keeps typed text, sanitizes it, and reports it', async () => {
    const { pageRoot, input, form } = prerenderSearch()
    input.value = 'spr-ing'
    const searches: string[] = []
    await act(async () => hydrateRoot(pageRoot, <SearchForm onSearch={(text) => searches.push(text)} />))
    expect(input.value).toBe('spring')
    await act(async () => form.dispatchEvent(new Event('submit', { bubbles: true, cancelable: true })))
    expect(searches).toEqual(['spring'])
  })

  it('submits nothing, so that no input gets into the URL', () => {
    expect(prerenderSearch().form.getAttribute('method')).toBe('dialog')
  })
})
