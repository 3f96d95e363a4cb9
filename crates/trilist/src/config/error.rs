//! What is wrong with a configuration file.

/// Why the user's configuration cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigError {
    file: String,
    line: Option<usize>,
    reason: String,
    similar: Option<String>,
}

impl ConfigError {
    pub(super) fn at(line: usize, reason: String) -> Self {
        ConfigError { file: String::new(), line: Some(line), reason, similar: None }
    }

    pub(super) fn of_file(file: &str, reason: String) -> Self {
        ConfigError { file: file.to_owned(), line: None, reason, similar: None }
    }

    pub(super) fn in_file(self, file: &str) -> Self {
        ConfigError { file: file.to_owned(), ..self }
    }

    pub(super) fn with_similar(self, similar: Option<String>) -> Self {
        ConfigError { similar, ..self }
    }

    /// The line, counted from 1, if it is one line's fault.
    pub fn line(&self) -> Option<usize> {
        self.line
    }

    /// What was probably meant.
    pub fn hint(&self) -> Option<String> {
        self.similar.as_ref().map(|name| format!("Did you mean `{name}`?"))
    }
}

impl std::fmt::Display for ConfigError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.file)?;
        if let Some(line) = self.line {
            let comma = if self.file.is_empty() { "" } else { ", " };
            write!(f, "{comma}line {line}")?;
        }
        write!(f, ": {}", self.reason)
    }
}

impl std::error::Error for ConfigError {}
