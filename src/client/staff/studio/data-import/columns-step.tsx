import { type FormEvent, useEffect, useState } from 'react'
import { formDrafts } from '#client/staff/kit/form/form-drafts.ts'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import type { JobParams } from '#client/staff/kit/routing/staff-urls.ts'
import { formatCount } from '#client/staff/kit/screen/format.ts'
import { type ImportDetails, previewImport } from '#contract/studio/imports.ts'
import type { ColumnUse } from '#domain/imports/import-columns.ts'
import { columnLetters, maxSheetColumns } from '#domain/imports/spreadsheet.ts'
import { Button } from '#ui/button/button.tsx'
import { Notice } from '#ui/feedback/notice.tsx'
import { Form } from '#ui/form/form.tsx'
import { RadioGroup } from '#ui/form/radio-group.tsx'
import { ColumnRow } from './column-row.tsx'
import styles from './data-import.module.css'
import { SheetLayout } from './sheet-layout.tsx'

type ColumnChoices = { uses: readonly ColumnUse[]; matchPolicy: ImportDetails['matchPolicy'] }
type ColumnsStepProps = { job: JobParams; details: ImportDetails; refetch: () => void; onPreviewed: () => void }

/** The columns depend on the sheet and the header row, so each combination of them has its own draft. */
const draftName = ({ id, sheet, headerRow }: ImportDetails): string => `import ${id} ${sheet ?? ''} ${headerRow}`

const isColumnChoices = (draft: unknown): draft is ColumnChoices =>
  typeof draft === 'object' && draft !== null && 'uses' in draft && 'matchPolicy' in draft

/** The target of each column: the server's guess until the user changes it. Stored as a draft. */
const useColumnChoices = (details: ImportDetails) => {
  const name = draftName(details)
  const initialChoices = (): ColumnChoices => {
    const draft = formDrafts.read(name)
    return isColumnChoices(draft) ? draft : { uses: details.uses, matchPolicy: details.matchPolicy }
  }
  const [state, setState] = useState({ name, choices: initialChoices() })
  if (state.name !== name) setState({ name, choices: initialChoices() })
  const { choices } = state
  useEffect(() => formDrafts.store(name, choices), [name, choices])
  const change = (changes: Partial<ColumnChoices>) => setState({ name, choices: { ...choices, ...changes } })
  const setUse = (changedUse: ColumnUse) =>
    change({ uses: choices.uses.map((use) => (use.column === changedUse.column ? changedUse : use)) })
  return {
    choices,
    setUse,
    setMatchPolicy: (matchPolicy: ColumnChoices['matchPolicy']) => change({ matchPolicy }),
    dropDraft: () => formDrafts.drop(name),
  }
}

const ColumnsLeftOutNotice = ({ count }: { count: number }) => (
  <Notice
    tone="attention"
    title={count === 1 ? 'One column is left out' : `${formatCount(count)} columns are left out`}
  >
    This list has {formatCount(maxSheetColumns + count)} columns, and {maxSheetColumns} are read. What is right of
    column {columnLetters(maxSheetColumns - 1)} is not imported: move what you need to the left, and upload the list
    again.
  </Notice>
)

/** Timeout in milliseconds. The preview is slow for lists of tens of thousands of rows. */
const previewTimeoutMs = 60_000

/** Maps each column of the list to a target. */
export const ColumnsStep = ({ job, details, refetch, onPreviewed }: ColumnsStepProps) => {
  const { choices, setUse, setMatchPolicy, dropDraft } = useColumnChoices(details)
  const preview = useStaffMutation(previewImport)
  const [errors, setErrors] = useState<readonly string[]>([])
  const { studioId, jobId } = job
  const { id: importId, version } = details
  const send = async (): Promise<void> => {
    setErrors([])
    const body = { version, uses: [...choices.uses], matchPolicy: choices.matchPolicy }
    const answer = await preview.mutate(
      { params: { studioId, jobId, importId }, body, timeoutMs: previewTimeoutMs },
      { onError: 'silent' },
    )
    if (answer.ok) {
      dropDraft()
      onPreviewed()
      return
    }
    setErrors(answer.errors)
    if (answer.problem === 'conflict') refetch()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void send()
  }
  return (
    <>
      <SheetLayout key={draftName(details)} details={details} job={job} refetch={refetch} />
      <Form onSubmit={submit} loading={preview.busy} error={errors}>
        <h2>What are its columns?</h2>
        <p className={styles.soft}>
          {formatCount(details.rowsTotal)} rows below the headings. Fields can appear on prints and cards.
        </p>
        {details.columnsLeftOut > 0 && <ColumnsLeftOutNotice count={details.columnsLeftOut} />}
        <ul className={styles.columns}>
          {details.columns.map((column) => (
            <ColumnRow
              key={column.index}
              column={column}
              use={
                choices.uses.find((use) => use.column === column.index) ?? {
                  column: column.index,
                  target: 'ignore',
                  field: null,
                }
              }
              onUse={setUse}
            />
          ))}
        </ul>
        <RadioGroup
          legend="People already in this job"
          value={choices.matchPolicy}
          onValue={setMatchPolicy}
          options={[
            {
              value: 'update',
              label: 'Update them',
              hint: 'The list replaces what is there; empty cells change nothing',
            },
            { value: 'skip', label: 'Leave them unchanged', hint: 'Only new people are added' },
          ]}
        />
        <div className={styles.bar} data-actions>
          <Button type="submit" loading={preview.busy}>
            Preview
          </Button>
        </div>
      </Form>
    </>
  )
}
