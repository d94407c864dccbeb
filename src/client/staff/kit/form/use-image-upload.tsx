import ImageUp from 'lucide-react/icons/image-up'
import { type ReactNode, useRef, useState } from 'react'
import { Button } from '#ui/button/button.tsx'
import { FileInput } from './file-input.tsx'

/** The size limit of a file in bytes, as on the server. */
const maxBytes = 5 * 1024 * 1024

type ImageUpload = {
  /** The accessible name of the file input. */
  label: string
  /** The media types that can be chosen. */
  accept: string
  /** Sends the form, with the image as its `File`. Returns whether it was accepted, or the errors. */
  send: (form: FormData) => Promise<{ ok: true } | { ok: false; errors: readonly string[] }>
}

/** A button that chooses an image of up to 5 MB and sends it, and the errors of the last one. */
export const useImageUpload = ({ label, accept, send }: ImageUpload) => {
  const input = useRef<HTMLInputElement>(null)
  const [errors, setErrors] = useState<readonly string[]>([])
  const [isBusy, setBusy] = useState(false)
  const upload = async (file: File) => {
    if (file.size > maxBytes) return setErrors([`${file.name} is larger than 5 MB. Export it smaller and try again`])
    setErrors([])
    setBusy(true)
    const form = new FormData()
    form.append('File', file)
    const answer = await send(form)
    setBusy(false)
    if (!answer.ok) setErrors(answer.errors)
  }
  const renderButton = (text: ReactNode) => (
    <>
      <FileInput ref={input} label={label} accept={accept} onFiles={([file]) => void upload(file)} />
      <Button variant="secondary" icon={ImageUp} loading={isBusy} onClick={() => input.current?.click()}>
        {text}
      </Button>
    </>
  )
  return { errors, clearErrors: () => setErrors([]), renderButton }
}
