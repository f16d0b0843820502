import { List, Text } from '@mantine/core';

interface OutletIntroductionProps {
  summary: string;
  steps: readonly string[];
  note: string;
}

export function OutletIntroduction({ summary, steps, note }: OutletIntroductionProps) {
  return (
    <>
      <Text size="sm" maw={760} mb="sm">
        {summary}
      </Text>
      <List type="ordered" size="sm" maw={760} spacing="xs">
        {steps.map((step) => (
          <List.Item key={step}>{step}</List.Item>
        ))}
      </List>
      <Text size="sm" maw={760} mt="sm" c="dimmed">
        {note}
      </Text>
    </>
  );
}
