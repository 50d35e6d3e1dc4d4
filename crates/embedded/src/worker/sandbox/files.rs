//! File access by Landlock. A rule applies to the file that was opened, not to its name: a later replacement of a name
//! or link has no effect, and an opened file is checked by its location, not by its name.

use std::error::Error;
use std::os::fd::{AsFd as _, AsRawFd as _, OwnedFd};
use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access as _, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible as _, LandlockStatus,
    PathBeneath, Ruleset, RulesetAttr as _, RulesetCreated, RulesetCreatedAttr as _, Scope,
};
use rowhouse_executor::catalog::files::{fixed_part, is_glob, list_files};
use rowhouse_executor::{Grant, Sandbox};
use rustix::fs::{FileType, Mode, OFlags, fstat, open};

/// The newest ABI version of which all access rights are handled here.
const KNOWN: ABI = ABI::V6;

/// Folders of time zones, which jiff reads if a statement names a zone.
const TIME_ZONES: [&str; 3] = ["/usr/share/zoneinfo", "/usr/share/lib/zoneinfo", "/etc/zoneinfo"];

/// Drops rights without exceptions: running programs, TCP, signals to other processes and their abstract sockets, and
/// creating devices, sockets, pipes and links. Returns Landlock's ABI version; 0 without Landlock.
pub(super) fn begin() -> Result<u32, Box<dyn Error>> {
    let given_up: BitFlags<AccessFs> = AccessFs::Execute
        | AccessFs::MakeChar
        | AccessFs::MakeBlock
        | AccessFs::MakeSock
        | AccessFs::MakeFifo
        | AccessFs::MakeSym
        | AccessFs::IoctlDev;
    let confined = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(given_up)?
        .handle_access(AccessNet::from_all(KNOWN))?
        .scope(Scope::from_all(KNOWN))?
        .create()?
        .restrict_self()?;
    Ok(match confined.landlock {
        LandlockStatus::Available { effective_abi, .. } => effective_abi as u32,
        LandlockStatus::NotEnabled | LandlockStatus::NotImplemented => 0,
    })
}

/// Drops all access to files except those of the sandbox. Missing files that it names are omitted: reading them is an
/// error of the statement. Fails if there are other threads, because they would retain their rights.
pub(super) fn enter(sandbox: &Sandbox) -> Result<(), Box<dyn Error>> {
    if std::fs::read_dir("/proc/self/task")?.count() != 1 {
        return Err("the process has more than one thread".into());
    }
    let rules = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(KNOWN))?
        .scope(Scope::from_all(KNOWN))?
        .create()?;
    let mut rules = Rules {
        rules: Some(rules),
        sandbox,
        data_dir: canonical(&sandbox.data_dir),
        files_dir: canonical(&sandbox.files_dir),
        home: None,
    };
    rules.allow_writing(&sandbox.work_dir)?;
    for folder in TIME_ZONES {
        rules.allow_folder(Path::new(folder))?;
    }
    for grant in &sandbox.grants {
        match grant {
            Grant::Folder(folder) => rules.allow_folder(folder)?,
            Grant::Table { location, format } => rules.allow_table(location, *format)?,
        }
    }
    if let Some(rules) = rules.rules.take() {
        rules.restrict_self()?;
    }
    Ok(())
}

struct Rules<'a> {
    /// The rules, which are taken while a rule is added.
    rules: Option<RulesetCreated>,
    sandbox: &'a Sandbox,
    data_dir: PathBuf,
    files_dir: PathBuf,
    /// The workspace's folder of files, for a table that is located there.
    home: Option<PathBuf>,
}

type Done = Result<(), Box<dyn Error>>;

impl Rules<'_> {
    fn allow_writing(&mut self, folder: &Path) -> Done {
        let opened = opened(folder).ok_or("the folder of its own cannot be opened")?;
        let rights = AccessFs::ReadFile
            | AccessFs::ReadDir
            | AccessFs::WriteFile
            | AccessFs::Truncate
            | AccessFs::MakeReg
            | AccessFs::MakeDir
            | AccessFs::RemoveFile;
        self.add(&opened, rights)
    }

    fn allow_folder(&mut self, folder: &Path) -> Done {
        match opened(folder) {
            Some(opened) => self.add(&opened, AccessFs::ReadFile | AccessFs::ReadDir),
            None => Ok(()),
        }
    }

    /// Allows a file, or a folder with its content. For a pattern, or for a folder that contains the data directory, it
    /// allows the present files, and the names in the folder with which the pattern begins.
    fn allow_table(&mut self, location: &str, format: rowhouse_model::TableFormat) -> Done {
        let path = Path::new(location);
        self.home = self.home_of(path);
        match opened(path) {
            Some(found) if !is_folder(&found) => self.allow_file(&found, None),
            Some(found) if real_path(&found).is_some_and(|real| !self.data_dir.starts_with(real)) => {
                if self.is_of_a_table(&found, None) {
                    self.add(&found, AccessFs::ReadFile | AccessFs::ReadDir)?;
                }
                Ok(())
            }
            Some(found) => self.allow_files(&found, location, format),
            None if is_glob(location) => match opened(fixed_part(location)) {
                Some(found) => self.allow_files(&found, location, format),
                None => Ok(()),
            },
            None => Ok(()),
        }
    }

    fn allow_files(&mut self, within: &OwnedFd, location: &str, format: rowhouse_model::TableFormat) -> Done {
        self.add(within, AccessFs::ReadDir.into())?;
        let Some(root) = real_path(within) else { return Ok(()) };
        // The statement reports their errors.
        for file in list_files(location, format).unwrap_or_default() {
            if let Some(found) = opened(&file) {
                self.allow_file(&found, Some(&root))?;
            }
        }
        Ok(())
    }

    fn allow_file(&mut self, file: &OwnedFd, root: Option<&Path>) -> Done {
        if self.is_of_a_table(file, root) { self.add(file, AccessFs::ReadFile.into()) } else { Ok(()) }
    }

    /// Whether an opened file is located where tables may be, and in the folder with which a pattern begins.
    fn is_of_a_table(&self, file: &OwnedFd, root: Option<&Path>) -> bool {
        let Some(real) = real_path(file) else { return false };
        if let Some(home) = &self.home {
            return real.starts_with(home) && root.is_none_or(|root| real.starts_with(root));
        }
        let roots = &self.sandbox.table_roots;
        (roots.is_empty() || roots.iter().any(|root| real.starts_with(root)))
            && root.is_none_or(|root| real.starts_with(root))
            && (!real.starts_with(&self.data_dir)
                || roots.iter().any(|root| root.starts_with(&self.data_dir)))
    }

    /// The folder of files with which a location begins, with links resolved.
    fn home_of(&self, location: &Path) -> Option<PathBuf> {
        let mut folder = PathBuf::new();
        let mut components = location.components();
        while let Some(component) = components.next() {
            folder.push(component);
            if folder.file_name() == self.files_dir.file_name() && canonical(&folder) == self.files_dir {
                return Some(self.files_dir.join(components.next()?));
            }
        }
        None
    }

    fn add(&mut self, file: &OwnedFd, rights: BitFlags<AccessFs>) -> Done {
        if let Some(rules) = self.rules.take() {
            self.rules = Some(rules.add_rule(PathBeneath::new(file.as_fd(), rights))?);
        }
        Ok(())
    }
}

/// Opens a path without access to its content.
fn opened(path: &Path) -> Option<OwnedFd> {
    open(path, OFlags::PATH | OFlags::CLOEXEC, Mode::empty()).ok()
}

fn is_folder(file: &OwnedFd) -> bool {
    fstat(file).is_ok_and(|stat| FileType::from_raw_mode(stat.st_mode).is_dir())
}

/// The present path of an opened file.
fn real_path(file: &OwnedFd) -> Option<PathBuf> {
    std::fs::read_link(format!("/proc/self/fd/{}", file.as_raw_fd())).ok()
}

fn canonical(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}
