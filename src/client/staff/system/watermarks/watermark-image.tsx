import ImageUp from 'lucide-react/icons/image-up'
import { useRef, useState } from 'react'
import { useFormContext, useWatch } from 'react-hook-form'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import { postWatermarkImage } from '#contract/system/watermarks.ts'
import { Button } from '#ui/button/button.tsx'
import { MessageList } from '#ui/form/message-list.tsx'
import styles from './watermarks.module.css'

const maxBytes = 5 * 1024 * 1024

/** Uploads the image of the surrounding form, whose value `imageHash` identifies it. */
export const WatermarkImage = () => {
  const input = useRef<HTMLInputElement>(null)
  const [errors, setErrors] = useState<readonly string[]>([])
  const upload = useStaffMutation(postWatermarkImage)
  const { setValue, formState } = useFormContext()
  const imageHash: string | null = useWatch({ name: 'imageHash' })
  const fieldError = formState.errors.imageHash?.message
  const send = async (file: File) => {
    if (file.size > maxBytes) return setErrors([`${file.name} is larger than 5 MB. Export it smaller and try again`])
    setErrors([])
    const form = new FormData()
    form.append('File', file)
    const answer = await upload.mutate({ form }, { onError: 'silent' })
    if (answer.ok) setValue('imageHash', answer.data.imageHash, { shouldDirty: true, shouldValidate: true })
    else setErrors(answer.errors)
  }
  const messages = [...errors, ...(errors.length === 0 && typeof fieldError === 'string' ? [fieldError] : [])]
  return (
    <div className={styles.upload}>
      <input
        ref={input}
        type="file"
        hidden
        accept="image/png,image/webp"
        aria-label="Image"
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? []
          // Reset, so that choosing the same file a second time fires `change`.
          currentTarget.value = ''
          if (file) void send(file)
        }}
      />
      <Button variant="secondary" icon={ImageUp} loading={upload.busy} onClick={() => input.current?.click()}>
        {imageHash === null ? 'Upload image' : 'Replace image'}
      </Button>
      <p>A PNG or WebP with a transparent background, of up to 5 MB.</p>
      <div role="alert" className={styles.errors}>
        <MessageList messages={messages} />
      </div>
    </div>
  )
}
