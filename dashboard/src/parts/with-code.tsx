// Text of the service as it is meant to be read: what stands between backticks is code.
export const WithCode = ({ text }: { text: string }) => (
  <>{text.split('`').map((part, at) => (at % 2 === 1 ? <code key={at}>{part}</code> : part))}</>
)
