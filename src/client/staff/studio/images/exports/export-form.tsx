import { useState } from 'react'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import type { JobParams } from '#client/staff/kit/routing/staff-urls.ts'
import { type ExportPreview, previewImageExport, startImageExport } from '#contract/studio/portraits/image-exports.ts'
import type { ExportSettings } from '#domain/image-exports/export-settings.ts'
import { Button } from '#ui/button/button.tsx'
import { Checkbox } from '#ui/form/checkbox.tsx'
import { toast } from '#ui/toast/toast.ts'
import { CropSettings } from './crop-settings.tsx'
import { ExportColumns } from './export-columns.tsx'
import type { FieldErrors, SettingsProps } from './export-form-parts.ts'
import { ExportPreviewImages } from './export-preview-images.tsx'
import styles from './exports.module.css'
import { FileSettings } from './file-settings.tsx'
import { FormatSettings } from './format-settings.tsx'

/** The settings that a preview depends on. Its crops follow the template and the size at once. */
const previewKeyOf = ({ template: _, quality: __, ...settings }: ExportSettings): string => JSON.stringify(settings)

type ExportFormProps = { job: JobParams; fieldNames: readonly string[]; initialSettings: ExportSettings }

/** The settings of a new export. It can start once its first images were previewed with these settings. */
export const ExportForm = ({ job, fieldNames, initialSettings }: ExportFormProps) => {
  const params = { studioId: job.studioId, jobId: job.jobId }
  const [settings, setSettings] = useState(initialSettings)
  const [errors, setErrors] = useState<FieldErrors>({})
  const [preview, setPreview] = useState<{ key: string; data: ExportPreview } | null>(null)
  const previewMutation = useStaffMutation(previewImageExport)
  const startMutation = useStaffMutation(startImageExport)
  const change: SettingsProps['change'] = (changes) => setSettings((current) => ({ ...current, ...changes }))
  const showPreview = async () => {
    const answer = await previewMutation.mutate({ params, body: settings })
    setErrors(answer.ok ? {} : (answer.fields ?? {}))
    setPreview(answer.ok ? { key: previewKeyOf(settings), data: answer.data } : null)
  }
  const start = async () => {
    const answer = await startMutation.mutate({ params, body: settings })
    setErrors(answer.ok ? {} : (answer.fields ?? {}))
    if (!answer.ok) return
    setPreview(null)
    toast('The export has started. You can leave this page')
  }
  const currentPreview = preview?.key === previewKeyOf(settings) ? preview.data : null
  const props = { settings, errors, change }
  // All fields but that of retakes and the crop are among the details.
  const hasDetailErrors = Object.keys(errors).some((name) => name !== 'retakesOf' && name !== 'template')
  return (
    <>
      <FormatSettings {...props} job={job} />
      <details className={styles.details} open={hasDetailErrors || undefined}>
        <summary>Details</summary>
        <FileSettings {...props} />
        <Checkbox
          label="Use the crops of orders"
          hint="Images that were cropped for an order have that crop"
          checked={settings.usesOrderCrops}
          onValue={(isChecked) => change({ usesOrderCrops: isChecked })}
        />
        <ExportColumns {...props} fieldNames={fieldNames} />
      </details>
      {currentPreview ? (
        <ExportPreviewImages
          preview={currentPreview}
          settings={settings}
          isStarting={startMutation.busy}
          onStart={() => void start()}
        >
          <CropSettings {...props} />
        </ExportPreviewImages>
      ) : (
        <div data-actions className={styles.previewAction}>
          {errors.template && <CropSettings {...props} />}
          <Button loading={previewMutation.busy} onClick={() => void showPreview()}>
            Preview
          </Button>
          <span className={styles.soft}>The export can start after the preview.</span>
        </div>
      )}
    </>
  )
}
