import { useFormContext, useWatch } from 'react-hook-form'
import { useImageUpload } from '#client/staff/kit/form/use-image-upload.tsx'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import { postWatermarkImage } from '#contract/system/watermarks.ts'
import { MessageList } from '#ui/form/message-list.tsx'
import styles from './watermarks.module.css'

/** Uploads the image of the surrounding form, whose value `imageHash` identifies it. */
export const WatermarkImage = () => {
  const { mutate } = useStaffMutation(postWatermarkImage)
  const { setValue, formState } = useFormContext()
  const imageHash: string | null = useWatch({ name: 'imageHash' })
  const fieldError = formState.errors.imageHash?.message
  const { errors, renderButton } = useImageUpload({
    label: 'Image',
    accept: 'image/png,image/webp',
    send: async (form) => {
      const answer = await mutate({ form }, { onError: 'silent' })
      if (answer.ok) setValue('imageHash', answer.data.imageHash, { shouldDirty: true, shouldValidate: true })
      return answer
    },
  })
  const messages = [...errors, ...(errors.length === 0 && typeof fieldError === 'string' ? [fieldError] : [])]
  return (
    <div className={styles.upload}>
      {renderButton(imageHash === null ? 'Upload image' : 'Replace image')}
      <p>A PNG or WebP with a transparent background, of up to 5 MB.</p>
      <div role="alert" className={styles.errors}>
        <MessageList messages={messages} />
      </div>
    </div>
  )
}
