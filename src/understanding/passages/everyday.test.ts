// Questions as people put them on short pages, with the words of the answer, or null where the page has none. Written
// before the rules they test; the share found is a floor.
import { expect, it } from 'vitest'
import { answerFrom } from './answer.ts'

const INN = `# Harbour Inn

The Harbour Inn stands at the old quay of Whitby and has been run by the Marsh family since 1974.

## Rooms

There are twelve rooms, seven of which look out on the sea. Every room has a kettle, a desk and free wireless internet.

## Breakfast

Breakfast is served from 7 to 10 in the conservatory. Guests who leave early get a packed breakfast if they ask the evening before.

## Arrival

You can check in from three in the afternoon. Keys are left in the safe by the door for those who come after nine.

## Dogs

Dogs are welcome in the ground floor rooms for ten pounds a night.

## Parking

The yard has space for eight cars; it costs nothing. Larger vans are asked to use the public car park on Church Street.

## Cancelling

Bookings can be cancelled up to two days before arrival without charge. After that the first night is due.`

const TOOL = `# quill

quill is a small command line tool that turns notes into a static site. It is written in Rust and runs on Linux, macOS and Windows.

## Install

Download the binary for your system from the releases page and put it somewhere in your path. On macOS you can also use Homebrew.

## Usage

Run \`quill build\` in the folder with your notes; the site is written to \`public\`. Add \`--watch\` to rebuild whenever a file changes.

## Configuration

Settings live in quill.toml. The theme is chosen by the key theme; the default is plain.

## Limits

Notes larger than 5 MB are skipped with a warning. There is no support for plugins yet, but it is planned for version 2.

## License

quill is released under the MIT license. Bug reports are welcome on the issue tracker, and the maintainer, Ida Brandt, answers within a week.`

const RECIPE = `# Lentil soup

A warming soup for cold evenings, ready in forty minutes.

## Ingredients

- 250 g red lentils
- 2 onions
- 1 litre vegetable stock
- a tin of tomatoes
- cumin, salt, lemon

## Method

Chop the onions and fry them in oil until golden. Add the cumin and let it toast for a minute. Tip in lentils, tomatoes and stock and simmer for 25 minutes. Season with salt and lemon.

## Notes

It keeps in the fridge for three days and freezes well. For a thicker soup use less stock. The recipe feeds four people. There is no gluten in it.`

const QUESTIONS: readonly (readonly [page: string, question: string, answer: string | null])[] = [
  [INN, 'When was it founded?', '1974'],
  [INN, 'How many rooms have a sea view?', 'seven of which'],
  [INN, 'What time is breakfast?', 'from 7 to 10'],
  [INN, 'Can I bring my dog?', 'Dogs are welcome'],
  [INN, 'Is parking free?', 'costs nothing'],
  [INN, 'What is the latest I can cancel?', 'two days before'],
  [INN, 'Is there a swimming pool?', null],
  [INN, 'Who runs the inn?', 'Marsh'],
  [INN, 'When can I check in?', 'from three'],
  [INN, 'Do they have wifi?', 'wireless'],
  [INN, 'How much does it cost to bring a dog?', 'ten pounds'],
  [INN, 'Is there a sauna?', null],
  [INN, 'Do you accept credit cards?', null],
  [INN, 'What happens if I arrive late at night?', 'Keys are left'],
  [TOOL, 'What language is it written in?', 'Rust'],
  [TOOL, 'Which operating systems does it support?', 'Linux, macOS'],
  [TOOL, 'How do I install it?', 'Download the binary'],
  [TOOL, 'What license does it use?', 'MIT'],
  [TOOL, 'Where is the output written?', 'public'],
  [TOOL, 'How can I rebuild automatically?', '--watch'],
  [TOOL, 'What is the default theme?', 'plain'],
  [TOOL, 'Does it have plugins?', 'plugins'],
  [TOOL, 'What is the maximum file size?', '5 MB'],
  [TOOL, 'Who maintains the project?', 'Ida Brandt'],
  [TOOL, 'How much does it cost?', null],
  [TOOL, 'Is there a mobile app?', null],
  [TOOL, 'Where do I report bugs?', 'issue tracker'],
  [RECIPE, 'How long does it take to make?', 'forty minutes'],
  [RECIPE, 'How many people does it serve?', 'four people'],
  [RECIPE, 'Can I freeze it?', 'freezes'],
  [RECIPE, 'Is it gluten free?', 'gluten'],
  [RECIPE, 'How long does it keep?', 'three days'],
  [RECIPE, 'How much stock do I need?', '1 litre'],
  [RECIPE, 'What spices are used?', 'cumin'],
  [RECIPE, 'How many calories does it have?', null],
  [RECIPE, 'How can I make it thicker?', 'less stock'],
  [RECIPE, 'What wine goes with it?', null],
  [RECIPE, 'How long do I simmer the lentils?', '25 minutes'],
]
const FOUND = 33

it('everyday questions on short pages are answered, and those without an answer are not', () => {
  const missed = QUESTIONS.filter(([page, question, words]) => {
    const { text, quotes } = answerFrom(page, question)
    return words === null ? text !== undefined : ![text, ...quotes].join('\n').includes(words)
  })
  expect(QUESTIONS.length - missed.length, missed.map(([, question]) => question).join('\n')).toBeGreaterThanOrEqual(
    FOUND,
  )
})
