import { beforeEach, expect, test } from 'vitest'
import { EditForm } from '#client/staff/kit/form/edit-form.tsx'
import { TextField } from '#client/staff/kit/form/form-fields.tsx'
import type { VersionedValues } from '#client/staff/kit/form/merge-edits.ts'
import { useEditForm } from '#client/staff/kit/form/use-edit-form.ts'
import { required } from '#domain/shared/validators.ts'
import type { CallResult } from '#local/transport/request.ts'
import { cleanUp, click, getButton, getElement, render, type, waitForPage } from '#support/rendering/render.tsx'

type Job = { name: string; note: string }

const first: VersionedValues<Job> = { values: { name: 'Spring', note: '' }, version: 1 }

/** A server with one record: saving over an older version is a conflict. */
const shelf = (held: VersionedValues<Job> = first) => {
  let now = held
  const save = async ({ values, version }: VersionedValues<Job>): Promise<CallResult<VersionedValues<Job>>> => {
    if (version !== now.version) return { ok: false, status: 409, errors: ['too late'], problem: 'conflict' }
    now = { values, version: version + 1 }
    return { ok: true, status: 200, data: now }
  }
  return { save, readLatest: async () => ({ ok: true as const, status: 200, data: now }), now: () => now }
}

const Editor = ({ saved, on }: { saved: VersionedValues<Job>; on: ReturnType<typeof shelf> }) => {
  const edit = useEditForm({ name: 'job 7', saved, rules: { name: required() }, ...on })
  return (
    <EditForm edit={edit} labels={{ name: 'Name', note: 'Note' }}>
      <TextField name="name" label="Name" />
      <TextField name="note" label="Note" />
    </EditForm>
  )
}

const field = (name: string) => getElement<HTMLInputElement>(`[name="${name}"]`)

beforeEach(() => sessionStorage.clear())

test('a form saves what was typed and deletes its draft', async () => {
  const on = shelf()
  const { box } = render(<Editor saved={first} on={on} />)
  type(field('note'), 'Gym, 9 am')
  expect(box.textContent).toContain('Not saved yet')
  click(getButton('Save'))
  await waitForPage(() => expect(box.textContent).toContain('Saved'))
  expect(on.now()).toEqual({ values: { name: 'Spring', note: 'Gym, 9 am' }, version: 2 })
  expect(sessionStorage.length).toBe(0)
})

test('a form with an empty required field shows an error and is not saved', async () => {
  const on = shelf()
  const { box } = render(<Editor saved={first} on={on} />)
  type(field('name'), '')
  click(getButton('Save'))
  await waitForPage(() => expect(box.textContent).toContain('This field is required'))
  expect(on.now()).toEqual(first)
})

test('a form restores what was typed after its screen was left', async () => {
  const on = shelf()
  render(<Editor saved={first} on={on} />)
  type(field('note'), 'Gym')
  cleanUp()
  const { box } = render(<Editor saved={first} on={on} />)
  await waitForPage(() => expect(field('note').value).toBe('Gym'))
  expect(box.textContent).toContain('What you typed here before is still in the form')
  click(getButton('Undo changes'))
  await waitForPage(() => expect(field('note').value).toBe(''))
})

test('a form that is saved over a newer version keeps its edits and lists the conflicts (decisions, 409)', async () => {
  const on = shelf()
  const { box } = render(<Editor saved={first} on={on} />)
  type(field('name'), 'Spring, mine')
  await on.save({ values: { name: 'Spring, theirs', note: 'Bring the blue cloth' }, version: 1 })
  click(getButton('Save'))
  await waitForPage(() => expect(box.textContent).toContain('Somebody else saved this while you were typing'))
  expect(field('name').value).toBe('Spring, mine')
  expect(field('note').value).toBe('Bring the blue cloth')
  expect(box.textContent).toContain('Name: theirs is “Spring, theirs”, yours “Spring, mine”')
  click(getButton('Save'))
  await waitForPage(() => expect(on.now().version).toBe(3))
  expect(on.now().values).toEqual({ name: 'Spring, mine', note: 'Bring the blue cloth' })
})

test('a form without edits shows a newer version at once', async () => {
  const on = shelf()
  const { again } = render(<Editor saved={first} on={on} />)
  again(<Editor saved={{ values: { name: 'Spring 2027', note: '' }, version: 2 }} on={on} />)
  await waitForPage(() => expect(field('name').value).toBe('Spring 2027'))
})
