import { act, useState } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { renderToString } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { Field } from '#ui/form/field.tsx'
import { Form } from '#ui/form/form.tsx'
import { TextInput } from '#ui/form/text-input.tsx'

const Search = ({ heard }: { heard: (text: string) => void }) => {
  const [text, setText] = useState('')
  return (
    <Form onSubmit={() => heard(text)}>
      <Field label="Code">
        <TextInput type="alphanumeric" value={text} onValue={setText} />
      </Field>
      <button type="submit">Open</button>
    </Form>
  )
}

const madeOnTheServer = () => {
  const page = document.createElement('div')
  page.innerHTML = renderToString(<Search heard={() => undefined} />)
  document.body.replaceChildren(page)
  const input = page.querySelector('input')
  const form = page.querySelector('form')
  if (!input || !form) throw new Error('the page has no form')
  return { page, input, form }
}

describe('a page that is shown before its script runs', () => {
  it('keeps typed text, sanitizes it, and reports it', async () => {
    const { page, input, form } = madeOnTheServer()
    input.value = 'spr-ing'
    const heard: string[] = []
    await act(async () => hydrateRoot(page, <Search heard={(text) => heard.push(text)} />))
    expect(input.value).toBe('spring')
    await act(async () => form.dispatchEvent(new Event('submit', { bubbles: true, cancelable: true })))
    expect(heard).toEqual(['spring'])
  })

  it('submits nothing early, so that no input gets into the URL', () => {
    expect(madeOnTheServer().form.getAttribute('method')).toBe('dialog')
  })
})
